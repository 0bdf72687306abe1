import { existsSync } from 'node:fs'
import { measureDisk, measureServer } from '../http/measure-server.mjs'

const MANY = 50
const KINDS = ['route', 'memory', 'sqlite', 'mastra', 'langgraph']
const isInstalled = path => existsSync(new URL(path, import.meta.url))
/** True where the peers are installed. */
export const hasRoute = () => isInstalled('../peers/node_modules/ai')
/** True where a server of that kind can be started. */
const canServe = kind => {
  if (kind === 'route') return hasRoute()
  // Mastra wants a newer Node than the oldest of ours.
  if (kind === 'mastra')
    return isInstalled('../serving/node_modules/@mastra/hono') && Number.parseInt(process.versions.node, 10) >= 22
  return kind !== 'langgraph' || isInstalled('../serving/node_modules/@langchain/langgraph-api')
}

const figure = (id, title, unit) => ({ id: `served.${id}`, title, unit })
const atMost = (id, title, unit, most) => ({
  ...figure(id, title, unit),
  goal: { say: `≤ ${most}${unit === '×' ? ' ×' : ''}`, met: ({ own }) => own <= most },
})
const atLeast = (id, title, least) => ({
  ...figure(id, title, '×'),
  goal: { say: `≥ ${least} ×`, miss: 'under', met: ({ own }) => own >= least },
})

/**
 * Turns over HTTP with one tool and two model calls, as `turnbuckle serve` runs them, beside a hono route with the AI SDK
 * that keeps nothing. Both have the conversation so far: our server in its store, the route from its client, which sends it
 * with every message, as `useChat` does. The kinds in turn within one round; ratios are of the same round.
 */
export default {
  id: 'served',
  unloaded: true,
  lines: [
    figure('route', `turns over HTTP, ${MANY} at once: AI SDK route that keeps nothing`, '/s'),
    figure('memory', 'the same: our server, in memory', '/s'),
    figure('sqlite', 'the same: our server, on SQLite', '/s'),
    figure('mastra', 'the same: Mastra’s server, which keeps nothing', '/s'),
    figure('langgraph', 'the same: LangGraph’s development server, in memory', '/s'),
    atLeast('to-route', 'on SQLite, to the AI SDK route', 1),
    atLeast('to-memory', 'on SQLite, to our memory store', 0.85),
    atMost('cpu', 'processor a turn on SQLite, to the AI SDK route', '×', 1.1),
    atMost('delay', 'event loop delay p99 on SQLite, to our memory store', '×', 1.5),
    figure('alone-route', 'a turn alone over HTTP, p50: AI SDK route', 'ms'),
    figure('alone-sqlite', 'the same: our server, on SQLite', 'ms'),
    figure('alone-mastra', 'the same: Mastra’s server', 'ms'),
    figure('alone-langgraph', 'the same: LangGraph’s development server', 'ms'),
    atMost('syncs-alone', 'syncs of a turn alone', '', 5),
    atMost('syncs', `syncs of a turn, ${MANY} at once`, '', 1),
    atMost('growth', 'the database grows by, a turn', 'KiB', 12),
    atMost('bytes', `bytes written a turn, ${MANY} at once, to what the database grows by`, '×', 6),
    figure('bytes-alone', 'the same, a turn alone', '×'),
  ],
  async measure(subject, { ms }) {
    if (!subject.ships) return {}
    const kinds = KINDS.filter(canServe)
    const many = await each(kinds, kind => measureServer(kind, { conversations: MANY, ms: ms * 5 }))
    const alone = await each(kinds, kind => measureServer(kind, { conversations: 1, ms: ms * 2 }))
    const disk = await measureDisk('sqlite', { conversations: MANY, turns: 6 })
    const diskAlone = await measureDisk('sqlite', { conversations: 1, turns: 60 })
    return {
      'served.route': many.route?.perSecond,
      'served.memory': many.memory.perSecond,
      'served.sqlite': many.sqlite.perSecond,
      'served.mastra': many.mastra?.perSecond,
      'served.langgraph': many.langgraph?.perSecond,
      'served.to-route': ratio(many.sqlite.perSecond, many.route?.perSecond),
      'served.to-memory': ratio(many.sqlite.perSecond, many.memory.perSecond),
      'served.cpu': ratio(many.sqlite.cpu, many.route?.cpu),
      'served.delay': ratio(many.sqlite.delay, many.memory.delay),
      'served.alone-route': alone.route?.p50,
      'served.alone-sqlite': alone.sqlite.p50,
      'served.alone-mastra': alone.mastra?.p50,
      'served.alone-langgraph': alone.langgraph?.p50,
      'served.syncs-alone': diskAlone.syncs,
      'served.syncs': disk.syncs,
      'served.growth': diskAlone.growth,
      'served.bytes': ratio(disk.written, disk.growth),
      'served.bytes-alone': ratio(diskAlone.written, diskAlone.growth),
    }
  },
}

async function each(kinds, measure) {
  const values = {}
  for (const kind of kinds) values[kind] = await measure(kind)
  return values
}

const ratio = (own, other) => (own === undefined || !other ? undefined : own / other)
