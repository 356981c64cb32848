// Counts a run: prints a table, and writes report.md with every session's reply before and after the guards. report.mjs NAME OUT
import {readFileSync, writeFileSync} from "node:fs";

const [name, out] = process.argv.slice(2);
const rows = readFileSync(`${out}/results.jsonl`, "utf8").trim().split("\n").map((l) => JSON.parse(l));
const spend = JSON.parse(readFileSync(`${out}/spend.json`, "utf8"));
const fields = ["recap", "away", "suggestion"];

// kind groups the reason of a gate or the code of a failed call.
const kinds = [
  [/^language/, "language"], [/^overclaims|^unquoted-status|^lost-negation|^contradicts/, "more or less than is proven"],
  [/^(number|name|quote)-not-in-evidence|^hash|^url/, "number, name or quote not in evidence"],
  [/^notice|^rate-limited|^no-provider-login|^model-unavailable|^context-too-small/, "notice or refusal"], [/^reasoning/, "reasoning"],
  [/^cut|^output-exhausted/, "cut"], [/^empty|^missing|^not-a-string/, "empty or missing"], [/^fragment/, "fragment"],
  [/^(answers-a-question|approves|merges|deletes|pays|reminds-the-person|asks-the-person)/, "decision"],
  [/^not-in-session/, "words that are not the session's"], [/^word-not-in-session/, "a word of time, degree or reach that is not the session's"],
  [/^overtaken/, "said of what was open then"], [/^no-quotation/, "no quotation, in a doubtful reply"], [/^says-nothing|^unfinished-text/, "says nothing"], [/^repeats-a-request/, "the person's own words"],
  [/^repeats-the/, "a suggestion that repeats another text"], [/^done-already|^not-asked-for|^nothing-unfinished/, "a suggestion nobody asked for"], [/^instruction/, "the instruction again"],
  [/^provider-error/, "not of the form, or a refusal"], [/^timeout/, "no answer in time"],
];
const kind = (why) => kinds.find(([re]) => re.test(why))?.[1] ?? `other: ${why}`;

const counts = {}; // kind → field → times
const count = (k, f) => { ((counts[k] ??= {})[f] ??= 0); counts[k][f]++; };
const shown = {recap: 0, away: 0, suggestion: 0};
const partly = {recap: 0, away: 0, suggestion: 0};
let asked = 0, none = 0, retried = 0;
const refused = {};
const times = [], tokens = [], lines = [`# ${name}`, ""];
const clip = (s, n) => (s.length > n ? s.slice(0, n) + "…" : s);

for (const r of rows) {
  const record = r.result?.record, reason = r.result?.reason ?? r.result?.error;
  const decision = r.why?.decisions?.[0];
  lines.push(`## ${r.id}`, "", `exit ${r.rc}, ${r.ms} ms, ${reason ? `${reason.code}: ${reason.message}` : "shown"}`, "");
  if (r.calls.length === 0) {
    refused[reason?.code ?? "?"] = (refused[reason?.code ?? "?"] ?? 0) + 1;
    continue;
  }
  asked++;
  if (r.calls.length > 1) retried++;
  times.push(r.ms);
  tokens.push(r.calls.reduce((n, c) => n + (c.usage?.total_tokens ?? 0), 0));
  const gates = Object.fromEntries((decision?.gates ?? []).filter((g) => g.name.startsWith("field ")).map((g) => [g.name.slice(6), g.value]));
  let any = false;
  for (const f of fields) {
    const is = record?.fieldSources?.[f] === "model";
    if (is) { any = true; shown[f]++; if (gates[f]) partly[f]++; } else count(kind(gates[f] ?? (reason && reason.code !== "guarded" ? reason.code : "silent")), f);
  }
  if (!any) none++;
  for (const c of r.calls) lines.push(`before (${c.finish ?? c.failed}, ${c.usage?.completion_tokens ?? 0} tokens, ${c.ms} ms):`, "", "```", c.text ?? "", "```", "");
  for (const f of fields) lines.push(`- ${f}: ${record?.fieldSources?.[f] === "model" ? `SHOWN ${record[f]}` : "—"}${gates[f] ? `   [${gates[f]}]` : ""}`);
  const last = r.turns?.turns?.at(-1);
  lines.push("", `free: ${record?.fieldSources?.recap === "model" ? "" : record?.recap}`, "", `asked: ${clip(last?.user?.text ?? "", 400)}`, "", `answered: ${clip(last?.answer?.text ?? "", 1500)}`, "");
}
const median = (a) => (a.length ? a.toSorted((x, y) => x - y)[a.length >> 1] : 0);
const calls = rows.flatMap((r) => r.calls);
const sum = (f) => calls.reduce((n, c) => n + (f(c) ?? 0), 0);
const table = [
  `${name}: ${rows.length} sessions, ${asked} asked, ${rows.length - asked} refused before anything was sent (${Object.entries(refused).map(([k, n]) => `${k} ${n}`).join(", ")})`,
  `calls ${calls.length} (${retried} sessions asked twice), by the ledger ${spend.calls} calls and ${spend.tokens} tokens`, "",
  "| | recap | away | suggestion |", "|---|---|---|---|",
  `| shown | ${fields.map((f) => shown[f]).join(" | ")} |`, `| of these shortened | ${fields.map((f) => partly[f]).join(" | ")} |`,
  ...Object.entries(counts).sort().map(([k, c]) => `| stopped: ${k} | ${fields.map((f) => c[f] ?? 0).join(" | ")} |`), "",
  `nothing of the model shown: ${none} of ${asked}`,
  `time of a recap: median ${(median(times) / 1000).toFixed(1)} s, longest ${(Math.max(0, ...times) / 1000).toFixed(1)} s; tokens: median ${median(tokens)}, most ${Math.max(0, ...tokens)}`,
  `of all calls: ${sum((c) => c.usage?.prompt_tokens)} tokens in (${sum((c) => c.usage?.prompt_tokens_details.cached_tokens)} cached), ${sum((c) => c.usage?.completion_tokens)} out; cut ${calls.filter((c) => c.finish === "length").length}, failed ${calls.filter((c) => c.failed).length}`,
];
console.log(table.join("\n") + "\n");
writeFileSync(`${out}/report.md`, [...lines.slice(0, 2), ...table, "", ...lines.slice(2)].join("\n"));
