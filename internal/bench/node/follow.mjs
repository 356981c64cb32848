// A plain program that does what the daemon does with a server's events: it
// parses each line, and keeps one timer for each session that is idle.
// Usage: node follow.mjs < events.jsonl
import { createInterface } from 'node:readline';
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

const begin = process.hrtime.bigint();
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const { payload } = JSON.parse(line);
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
const seconds = Number(process.hrtime.bigint() - begin) / 1e9;
const anon = /RssAnon:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1] * 1024;
const cpu = process.cpuUsage();
console.log(JSON.stringify({ events, sessions: sessions.size, seconds, cpu: (cpu.user + cpu.system) / 1e6, anon }));
process.exit(0);
