// A plain program that does what the daemon does with a server's events: it
// parses each one, and keeps one timer for each session that is idle. It ends
// with the stream.
// Usage: node follow.mjs http://HOST:PORT
import { readFileSync } from 'node:fs';

const window = 3600_000;
const sessions = new Map();
let events = 0;

function arm(id) {
  const s = sessions.get(id) ?? { timer: undefined, user: '' };
  clearTimeout(s.timer);
  s.timer = setTimeout(() => {}, window);
  sessions.set(id, s);
}

function cancel(id) {
  const s = sessions.get(id) ?? { timer: undefined, user: '' };
  clearTimeout(s.timer);
  s.timer = undefined;
  sessions.set(id, s);
}

async function* lines(body) {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop();
    yield* parts;
  }
}

const response = await fetch(process.argv[2] + '/global/event');
for await (const line of lines(response.body)) {
  if (!line.startsWith('data: ')) continue;
  const { payload } = JSON.parse(line.slice(6));
  events++;
  const p = payload.properties;
  switch (payload.type) {
    case 'session.status':
      if (p.status.type === 'idle') arm(p.sessionID);
      else cancel(p.sessionID);
      break;
    case 'session.idle':
      arm(p.sessionID);
      break;
    case 'message.updated':
      if (p.info.role === 'user' && sessions.get(p.info.sessionID)?.user !== p.info.id) {
        cancel(p.info.sessionID);
        sessions.get(p.info.sessionID).user = p.info.id;
      }
      break;
    case 'session.created':
      if (!sessions.has(p.info.id)) cancel(p.info.id);
      break;
  }
}
const anon = /RssAnon:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1] * 1024;
const cpu = process.cpuUsage();
console.log(JSON.stringify({ events, sessions: sessions.size, cpu: (cpu.user + cpu.system) / 1e6, anon }));
process.exit(0);
