// Joins what one session gave to one line of JSON: row.mjs ID RC MS BEFORE WORK OUT PORT
import {readFileSync} from "node:fs";

const [id, rc, ms, before, work, out, port] = process.argv.slice(2);
const json = (name) => {
  try { return JSON.parse(readFileSync(`${work}/${name}`, "utf8")); } catch { return null; }
};
await fetch(`http://127.0.0.1:${port}/v1/models`); // waits its turn behind a call that was given up, so that the log has it
const calls = readFileSync(`${out}/exchanges.jsonl`, "utf8").split("\n").filter(Boolean).slice(Number(before)).map((l) => JSON.parse(l));
console.log(JSON.stringify({
  id, rc: Number(rc), ms: Number(ms), result: json("result"), notices: readFileSync(`${work}/notices`, "utf8"),
  why: json("why"), turns: json("turns"),
  calls: calls.map(({at, reply, failed, promptMs, ms, stop}) => ({
    at, failed, promptMs, ms, stop, usage: reply?.usage, finish: reply?.choices[0].finish_reason, text: reply?.choices[0].message.content,
  })),
}));
