// Serves one GGUF file by OpenAI's chat completions on loopback, with the
// prebuilt llama.cpp of the npm package node-llama-cpp, and writes every
// exchange to a log: one JSON object a line.
//
//   NODE_HOME=DIR node server.mjs MODEL.gguf NAME LOG.jsonl
//
// NODE_HOME is the folder that holds node_modules. It prints its port on one
// line when it is ready. MODE=plain ignores response_format, as some servers
// do; MODE=asked takes the keys of a schema in the order of "required". REPLIES=DIR
// keeps each reply there and gives it again for the same request: a call that
// was given up is finished all the same, so that a second run shows on a busy
// machine what the first had no time for. SEED (1) is that of every call.
import {createRequire} from "node:module";
import {createHash} from "node:crypto";
import {appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {createServer} from "node:http";
import {pathToFileURL} from "node:url";

const [file, name, log] = process.argv.slice(2);
const maxOutput = Number(process.env.MAX_OUTPUT ?? 600);
const mode = process.env.MODE ?? "";
const require = createRequire(`${process.env.NODE_HOME}/package.json`);
const {getLlama, LlamaCompletion, resolveChatWrapper} = await import(pathToFileURL(require.resolve("node-llama-cpp")));

const llama = await getLlama({gpu: false, build: "never", progressLogs: false, logLevel: "error", maxThreads: Number(process.env.THREADS ?? 2)});
const model = await llama.loadModel({modelPath: file});
const contextSize = Math.min(model.trainContextSize, 16384);
const context = await model.createContext({contextSize, sequences: 1});
const sequence = context.getSequence();
const wrapper = resolveChatWrapper(model);

const replies = process.env.REPLIES;
const seed = Number(process.env.SEED ?? 1);
if (replies) mkdirSync(replies, {recursive: true});
const kept = (body) => `${replies}/${createHash("sha256").update(JSON.stringify([name, mode, seed, maxOutput, body])).digest("hex")}.json`;

class Refused extends Error {
  constructor(status, code, message) { super(message); Object.assign(this, {status, code}); }
}

async function complete(req, signal) {
  const text = (role) => (req.messages ?? []).filter((m) => m.role === role).map((m) => m.content).join("\n\n");
  const history = [{type: "system", text: text("system")}, {type: "user", text: text("user")}, {type: "model", response: [""]}];
  const {contextText, stopGenerationTriggers} = wrapper.generateContextState({chatHistory: history});
  const prompt = contextText.tokenize(model.tokenizer);
  const maxTokens = Math.min(req.max_tokens ?? req.max_completion_tokens ?? maxOutput, maxOutput);
  if (prompt.length + maxTokens > contextSize)
    throw new Refused(400, "context_length_exceeded", `the request exceeds the available context size of ${contextSize} tokens`);
  const format = mode === "plain" ? undefined : req.response_format;
  let grammar;
  if (format?.type === "json_schema") {
    const schema = structuredClone(format.json_schema.schema);
    if (mode === "asked") schema.properties = Object.fromEntries(schema.required.map((key) => [key, schema.properties[key]]));
    grammar = await llama.createGrammarForJsonSchema(schema);
  }
  if (format?.type === "json_object") grammar = await llama.getGrammarFor("json");
  const before = sequence.tokenMeter.getState();
  const completion = new LlamaCompletion({contextSequence: sequence});
  const began = performance.now();
  let firstToken;
  try {
    const {response, metadata} = await completion.generateCompletionWithMeta(prompt, {
      maxTokens, temperature: req.temperature ?? 0.8, seed: req.seed ?? seed, grammar, signal,
      customStopTriggers: stopGenerationTriggers, disableContextShift: true,
      onToken: () => { firstToken ??= performance.now(); },
    });
    const used = sequence.tokenMeter.diff(before);
    const ended = performance.now();
    return {
      reply: {
        id: `chatcmpl-${Date.now()}`, object: "chat.completion", created: Math.floor(Date.now() / 1000), model: name,
        choices: [{index: 0, finish_reason: metadata.stopReason === "maxTokens" ? "length" : "stop", message: {role: "assistant", content: response}}],
        usage: {
          prompt_tokens: prompt.length, completion_tokens: used.usedOutputTokens, total_tokens: prompt.length + used.usedOutputTokens,
          prompt_tokens_details: {cached_tokens: Math.max(0, prompt.length - used.usedInputTokens)},
        },
      },
      promptMs: Math.round((firstToken ?? ended) - began), ms: Math.round(ended - began), stop: metadata.stopReason,
    };
  } finally {
    completion.dispose({disposeSequence: false});
  }
}

let queue = Promise.resolve();
const server = createServer((req, res) => {
  const parts = [];
  const gone = new AbortController();
  res.on("close", () => { if (!res.writableFinished) gone.abort(); });
  req.on("data", (b) => parts.push(b));
  req.on("end", () => {
    queue = queue.then(async () => {
      const body = Buffer.concat(parts).toString("utf8");
      const at = new Date().toISOString();
      const send = (status, value) => {
        res.writeHead(status, {"content-type": "application/json"});
        res.end(JSON.stringify(value));
      };
      const note = (more) => appendFileSync(log, JSON.stringify({at, path: req.url, ...more}) + "\n");
      if (req.method === "GET" && req.url === "/v1/models") return send(200, {object: "list", data: [{id: name, object: "model"}]});
      if (req.method !== "POST" || req.url !== "/v1/chat/completions") return send(404, {error: {message: "not found", code: "not_found"}});
      let asked;
      try {
        asked = JSON.parse(body);
        let done;
        if (replies && existsSync(kept(asked))) done = JSON.parse(readFileSync(kept(asked), "utf8"));
        else {
          done = await complete(asked, replies ? undefined : gone.signal);
          if (replies) writeFileSync(kept(asked), JSON.stringify(done));
        }
        const {reply, ...times} = done;
        note({request: asked, reply, ...times});
        send(200, reply);
      } catch (e) {
        note({request: asked ?? body, failed: String(e?.message ?? e)});
        if (!gone.signal.aborted) send(e.status ?? 500, {error: {message: String(e?.message ?? e), code: e.code ?? "server_error"}});
      }
    });
  });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
for (const s of ["SIGTERM", "SIGINT"]) process.on(s, () => process.exit(0));
