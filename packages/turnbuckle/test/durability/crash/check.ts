import type { Event, Message, Usage } from 'turnbuckle'
import { checkHistory } from 'turnbuckle/testing'
import type { Played } from './play.ts'

interface Evidence {
  readonly witness: readonly string[]
  readonly invalid: readonly string[]
  readonly acks: readonly string[]
}

interface Row {
  readonly id: string
  readonly parent?: string
  readonly message: Message
  readonly state?: unknown
}

const ends = ['turn.completed', 'turn.stopped', 'turn.failed', 'turn.interrupted']

/** What does not hold: I1 to I4, I7, one end a turn, and the same tree. */
export function checkRun(played: Played, expected: Played, { witness, invalid, acks }: Evidence): string[] {
  const told = acks.flatMap(parsed)
  return [
    ...lost(told, played.events).map(what => `I1: ${what}`),
    ...played.paths.flatMap(path => checkHistory(path as Message[])).map(what => `I2: ${what}`),
    ...twice(witness).map(line => `I3: "${line}" was done twice`),
    ...missing(witness, expected),
    ...invalid.map(what => `I4: ${what}`),
    ...gaps(played.events.map(({ seq }) => seq)).map(what => `I7: the log ${what}`),
    ...repeats(told).map(what => `I7: ${what}`),
    ...openEnds(played),
    ...otherEnds(played, expected),
    ...differences(played.tree as Row[], expected.tree as Row[]),
  ]
}

function parsed(line: string): Event[] {
  try {
    return [JSON.parse(line) as Event]
  } catch {
    return []
  }
}

/** Undefined members are no difference: the log is JSON. */
const plain = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) =>
    item && typeof item === 'object' && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  )

function lost(told: readonly Event[], events: readonly Event[]): string[] {
  const log = new Map(events.map(event => [event.seq, plain(event)]))
  return told
    .filter(event => event.seq !== undefined && log.get(event.seq) !== plain(event))
    .map(event => `event ${event.seq} was told as ${plain(event)}, the log has ${log.get(event.seq as number)}`)
}

const repeats = (told: readonly Event[]): string[] => {
  const numbers = told.flatMap(({ seq }) => (seq === undefined ? [] : [seq]))
  return twice(numbers.map(String)).map(seq => `event ${seq} was told twice`)
}
const gaps = (numbers: readonly (number | undefined)[]): string[] =>
  numbers.every((seq, i) => seq === i + 1) ? [] : [`has the numbers ${numbers}`]
const twice = (list: readonly string[]): string[] => list.filter((item, i) => list.indexOf(item) !== i)

/** Everything that an undisturbed run does was done, once: the person in these tests tells the truth. */
function missing(witness: readonly string[], { effects }: Played): string[] {
  return witness.length < effects ? [`only ${witness.join(', ')} was done`] : []
}

function openEnds({ events, turns, requests }: Played): string[] {
  const wrong = turns.filter(({ status }) => status === 'open').map(({ id }) => `the turn ${id} has not ended`)
  // A sub-agent's end is in its own log.
  const started = events.filter(({ type }) => (type as string) === 'agent.started')
  const ofSubAgents = started.map(event => (event as unknown as { readonly agentTurnId: string }).agentTurnId)
  for (const { id } of turns) {
    const count = events.filter(({ type, turnId }) => turnId === id && ends.includes(type)).length
    if (!ofSubAgents.includes(id) && count !== 1) wrong.push(`I5: the turn ${id} has ${count} ends`)
  }
  return requests ? [...wrong, `${requests} requests are still open`] : wrong
}

/** How each turn has ended, what it has used, and what is kept for the whole conversation. */
function otherEnds(played: Played, expected: Played): string[] {
  const [got, wanted] = [endsOf(played), endsOf(expected)]
  const wrong = wanted.filter(end => !got.includes(end)).map(end => `no turn ended as ${end}, but as ${got.join(', ')}`)
  const costs = new Map(expected.events.map(event => [event.turnId, costOf(event)]))
  for (const event of played.events) {
    const [cost, then] = [costOf(event), costs.get(event.turnId)]
    if (ends.includes(event.type) && cost !== undefined && cost !== then)
      wrong.push(`${event.turnId} has cost ${cost}, undisturbed ${then}`)
  }
  const [states, then] = [plain(played.states), plain(expected.states)]
  return states === then ? wrong : [...wrong, `kept for the conversation is ${states}, undisturbed ${then}`]
}
const endsOf = ({ events }: Played): string[] =>
  events.flatMap(event => {
    if (!ends.includes(event.type)) return []
    const { turnId, outcome, reason, by, text, steps, usage } = event as unknown as Ended
    return [plain({ turnId, outcome, reason, by, text, steps, usage: known(usage) })]
  })

type Ended = Readonly<Record<string, unknown>> & { readonly usage?: Usage }
/** The usage as far as it is known, which no crash may change. */
const known = (usage: Usage | undefined): object => ({
  ...usage,
  cost: undefined,
  unknownCalls: undefined,
  knownCost: (usage?.cost ?? usage?.knownCost ?? 0).toFixed(9),
})

/** Absent after a crash that may have cut a model call: nobody knows what that one cost. */
const costOf = (event: object): string | undefined => (event as Ended).usage?.cost?.toFixed(9)

function differences(tree: readonly Row[], expected: readonly Row[]): string[] {
  const results = tree.flatMap(({ message }) => message.content.filter(part => part.type === 'result'))
  const told = new Set(results.filter(({ status }) => status === 'unknown').map(({ id }) => id))
  const shapes = (rows: readonly Row[]) => rows.map(row => plain(shape(row, told))).sort()
  const [got, wanted] = [shapes(tree), shapes(expected)]
  return [
    ...wanted.filter(row => !got.includes(row)).map(row => `the tree lacks ${row}`),
    ...got.filter(row => !wanted.includes(row)).map(row => `the tree has ${row}`),
    ...twice(got).map(row => `the tree has twice ${row}`),
  ]
}

/** Another attempt has another number; a call whose outcome a person had to tell has another value. */
const shape = ({ id, parent, message, state }: Row, told: ReadonlySet<string>) => ({
  id: stable(id),
  parent: parent && stable(parent),
  state,
  message: {
    ...message,
    id: stable(message.id),
    content: message.content.map(part =>
      part.type === 'result' && told.has(part.id) ? { ...part, status: 'ok', value: '' } : part,
    ),
  },
})
const stable = (id: string) => id.replace(/a\d+$/, 'a')
