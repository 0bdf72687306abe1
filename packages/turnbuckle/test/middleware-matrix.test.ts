import { type Conversation, createAgent, type Event, type Middleware, type Turn, tool } from 'turnbuckle'
import * as door from 'turnbuckle/middleware'
import { checkHistory, type ScriptedStep, scriptedModel, type VirtualClock, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { catalogue, own } from './middleware-catalogue.ts'

const usage = { inputTokens: 20, outputTokens: 5, cost: 0.01 }
const lost = Object.assign(new Error('connection lost'), { status: 503 })

/** Tools that work, fail and take time; a model that is cut off in the second turn; a third turn that is interrupted. */
const work: ScriptedStep[] = [
  { text: 'Looking for bob@example.com.', calls: [{ name: 'look', args: { at: 1 } }, { name: 'broken' }], usage },
  { calls: [{ name: 'slow', args: { n: 1 } }], usage },
  { text: 'Found.', usage },
]
const script: ScriptedStep[] = [...work, { text: 'Half a', error: lost }, ...work]

function agentWith(use: readonly (Middleware | readonly Middleware[])[]) {
  const clock = virtualClock()
  const wait = () => new Promise<string>(resolve => clock.after(5, () => resolve('done')))
  const tools = [
    tool({ name: 'look', run: args => ({ seen: args }) }),
    tool({
      name: 'broken',
      run() {
        throw new Error('it broke')
      },
    }),
    tool({ name: 'slow', run: wait }),
  ]
  const model = scriptedModel(script, { repeat: true })
  const agent = createAgent({ model, tools, clock, maxSteps: 16, breaker: false, use })
  return { clock, model, chat: agent.conversation() }
}

/** Says yes to whatever is asked. */
const answerAll = (chat: Conversation, event: Event): void => {
  if (event.type !== 'request.opened') return
  queueMicrotask(() => {
    if (chat.requests.some(({ id }) => id === event.requestId)) chat.answer(event.requestId, { decision: 'allow' })
  })
}

async function drive(turn: Turn, clock: VirtualClock): Promise<void> {
  for (let i = 0; i < 500 && !turn.ended; i++) await clock.advance(5)
  if (!turn.ended) throw new Error('the turn does not end')
  await turn.settled
}

const ends = ['turn.completed', 'turn.stopped', 'turn.failed', 'turn.interrupted']

type Use = readonly (Middleware | readonly Middleware[])[]

/** Three turns with these middleware: the last one is interrupted while a tool runs. */
async function converse(use: Use) {
  const { clock, model, chat } = agentWith(use)
  const events: Event[] = []
  chat.subscribe(event => {
    events.push(event)
    answerAll(chat, event)
  })
  const turns: Turn[] = []
  for (const text of ['Look', 'Look again', 'Look once more']) {
    const turn = chat.send(text)
    turns.push(turn)
    if (turns.length === 3) interruptIn(turn, 'slow', chat)
    await drive(turn, clock)
  }
  for (let i = 0; i < 100 && clock.timers; i++) await clock.advance(5)
  return { clock, model, chat, events, turns }
}

/** What did not hold. */
async function problemsWith(use: Use): Promise<string[]> {
  const { clock, model, chat, events, turns } = await converse(use)
  return [
    ...checkHistory(chat.messages).map(problem => `history: ${problem}`),
    ...model.prompts.flatMap(({ messages }) => checkHistory(messages)).map(problem => `prompt: ${problem}`),
    ...turns.flatMap(turn => terminalProblems(turn, events)),
    ...numberProblems(events),
    ...(clock.timers ? [`${clock.timers} timers left`] : []),
  ]
}

function interruptIn(turn: Turn, name: string, chat: Conversation): void {
  const off = chat.subscribe(event => {
    if (event.type !== 'tool.executing' || event.name !== name || event.turnId !== turn.id) return
    off()
    queueMicrotask(() => turn.interrupt())
  })
}

function terminalProblems(turn: Turn, events: readonly Event[]): string[] {
  const own = events.filter(({ turnId }) => turnId === turn.id)
  const terminal = own.filter(({ type }) => ends.includes(type))
  if (terminal.length !== 1) return [`${terminal.length} terminal events`]
  const late = own.slice(own.indexOf(terminal[0] as Event) + 1).filter(({ type }) => type !== 'tool.late')
  return late.map(({ type }) => `${type} after the end`)
}

function numberProblems(events: readonly Event[]): string[] {
  const numbers = events.flatMap(({ seq }) => (seq === undefined ? [] : [seq]))
  return numbers.every((seq, i) => i === 0 || seq === (numbers[i - 1] ?? 0) + 1) ? [] : ['sequence numbers have gaps']
}

const all = { ...catalogue, ...own }
const names = Object.keys(all)

test('the conversation has a turn that completes, one whose model fails, and one that is interrupted', async () => {
  const { turns, chat } = await converse([])
  const results = await Promise.all(turns.map(turn => turn.settled))
  expect(results.map(({ status }) => status)).toEqual(['completed', 'failed', 'interrupted'])
  const statuses = chat.messages.flatMap(({ content }) => content).filter(part => part.type === 'result')
  expect(statuses.map(({ status }) => status)).toEqual(['ok', 'error', 'ok', 'ok', 'error', 'interrupted'])
})

/** What the door exports besides: stores, rules and readers. */
const parts = [
  'createMetrics',
  'createTimeline',
  'estimateTokens',
  'isStanding',
  'keyRow',
  'memoryAudit',
  'memoryCache',
  'memoryPermissions',
  'memoryRates',
  'mergeRules',
  'packTrace',
  'readStructured',
  'toolPermission',
  'tunerRules',
  'unpackTrace',
]

test('the whole catalogue is here', () => {
  expect(
    Object.keys(door)
      .filter(name => !(name in catalogue))
      .sort(),
  ).toEqual(parts)
})

describe('each middleware with each, in both orders', () => {
  // Many conversations in one test: it may take its time on a busy machine.
  test.each(names)('%s', async first => {
    const problems: string[] = []
    for (const second of names) {
      const use = [first, ...(second === first ? [] : [second])].map(name => all[name]?.() ?? [])
      const found = await problemsWith(use).catch(error => [String(error)])
      problems.push(...found.map(problem => `${first}, ${second}: ${problem}`))
    }
    expect(problems).toEqual([])
  })
})
