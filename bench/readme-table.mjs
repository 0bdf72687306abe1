/** The rows of the README's table, in its words. `results` are those of a run of the README's own program. */
import { middle, number } from './report.mjs'
import { PEERS } from './subjects.mjs'

const PEER_NAMES = {
  pi: 'pi',
  ai: 'AI SDK',
  langchain: 'LangChain',
  'openai-agents': 'OpenAI Agents',
  strands: 'Strands',
}

/** `id` gives all three columns, `own` only Turnbuckle's. */
const TABLE = [
  { title: '50 tool steps, CPU per step', id: 'steps.default', unit: 'µs' },
  { title: 'one more plain hook / async hook, per call', own: ['hooks.plain', 'hooks.async'], unit: 'µs' },
  { title: 'ten common middleware on, per step', own: ['middleware.ten'], unit: 'µs more' },
  { title: 'the agent of `turnbuckle chat`, traced, in memory, CPU per step', id: 'ships.terminal', unit: 'µs' },
  { title: 'the agent of `npm start`, traced, on SQLite, CPU per step', id: 'ships.durable', unit: 'µs' },
  { title: '20,000 streamed deltas, one by one', id: 'deltas.1', unit: 'M/s', isMoreBetter: true },
  { title: 'between two model calls, 10 → 10,000 messages of history', id: 'history.read', unit: '×' },
  { title: '1,000 conversations at once, peak memory each', id: 'conversations.peak', unit: 'KiB' },
  { title: '64 parallel tools of 1 ms', id: 'parallel', unit: 'ms' },
  { title: 'import and create in a fresh process, zod aside', id: 'import', unit: 'ms' },
  { title: 'interrupting a tool that does not listen, p99', id: 'interrupt.tool', unit: 'ms', kept: 'interrupt.kept' },
  { title: 'opening a conversation of 100,000 messages', own: ['durable.open'], unit: 'ms' },
]

export function readmeTable(results) {
  const value = (id, subject) => middle(results[id]?.[subject])
  const rows = TABLE.map(row => (row.own ? [row.title, '', ownOnly(row, value), ''] : compared(row, value)))
  const head = [
    ['work', 'bare loop', 'Turnbuckle', 'the best of the others'],
    ['---', '---', '---', '---'],
  ]
  return [...head, ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')
}

const ownOnly = ({ own, unit }, value) =>
  own.every(id => value(id, 'turnbuckle') !== undefined)
    ? `${own.map(id => number(value(id, 'turnbuckle'))).join(' / ')} ${unit}`
    : ''

function compared({ title, id, unit, isMoreBetter, kept }, value) {
  const cell = subject => {
    const given = value(id, subject)
    return typeof given === 'number' ? `${number(given)} ${unit}${wordOfText(kept, subject, value)}` : (given ?? '')
  }
  const better = (a, b) => (isMoreBetter ? value(id, b) - value(id, a) : value(id, a) - value(id, b))
  const [best] = PEERS.filter(peer => typeof value(id, peer) === 'number').sort(better)
  return [title, cell('bare').split(',')[0], cell('turnbuckle'), best ? `${cell(best)} (${PEER_NAMES[best]})` : '']
}

function wordOfText(kept, subject, value) {
  if (!kept) return ''
  return value(kept, subject) === 100 ? ', text kept' : ', text lost'
}
