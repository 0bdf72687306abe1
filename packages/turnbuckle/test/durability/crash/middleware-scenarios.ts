import { type Chunk, type Message, type Middleware, type Model, type Schema, textOf } from 'turnbuckle'
import {
  approval,
  circuitBreaker,
  continuation,
  costLimit,
  critic,
  memory,
  rateLimit,
  retry,
  stepLimit,
  structured,
  summarize,
  todo,
  tokenLimit,
  toolCache,
} from 'turnbuckle/middleware'
import { agentOf, go, type Scenario, type Script, saying, scripted, usage, type World } from './scenario.ts'

/** With what keeps something, asks somebody or spends something: after a crash it must not forget, ask or spend again. */
const using = (
  name: string,
  use: (world: World) => readonly Middleware[],
  script: Script,
  more: Partial<Scenario> = {},
): Scenario => ({
  name: `middleware: ${name}`,
  agent: world => agentOf(world, scripted(world, script), use(world)),
  turns: [go],
  ...more,
})

const call = (id: string, name: string, args: object): Chunk => ({ type: 'call', id, name, args })
const twoTurns: Scenario['turns'] = [go, conversation => conversation.send('Go on.')]

/** Says what it thinks of the words it is shown. */
const opinionated = (id: string, say: (asked: string) => string): Model => ({
  id,
  async *stream({ messages }) {
    yield { type: 'text', text: say(messages.map(textOf).join('\n')) }
    yield usage
  },
})
const judge = opinionated('judge', asked => {
  if (asked.includes('Bad.')) return 'REJECT It is bad.'
  return asked.includes('Better.') ? 'ACCEPT' : 'REVISE Say more.'
})

const isAdvised = (messages: readonly Message[], word: string) =>
  messages.some(message => message.by !== undefined && textOf(message).includes(word))

const numbered: Schema<{ n: number }> = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: value =>
      typeof (value as { n?: unknown })?.n === 'number'
        ? { value: value as { n: number } }
        : { issues: [{ message: 'n is missing' }] },
  },
}

const items = (status: string) => ({ items: [{ text: 'Note it down', status }] })
const steps = saying({ calls: ['a'] }, { calls: ['b'] }, 'Done.', { calls: ['c'] }, { calls: ['d'] }, 'Done again.')

/** Fails twice and then does not, whichever process asks. */
const failing = (world: World): Model => ({
  id: 'failing',
  async *stream(prompt) {
    const said = prompt.messages.filter(({ role }) => role === 'assistant').length
    const failure = ['first failure', 'second failure'].find(line => !world.happened(line))
    if (said === 0 && failure) {
      yield { type: 'text', text: 'I was' }
      world.effect(failure)
      throw new Error('overloaded')
    }
    yield said === 0 ? call('call_a', 'note', { line: 'a' }) : { type: 'text', text: 'Done.' }
    yield usage
  },
})

export const middlewareScenarios: readonly Scenario[] = [
  using('approval', () => [approval({ allow: ['look'] })], saying({ calls: ['a', 'safe', 'b'] }, 'Done.'), {
    answer: (_kind, payload) => {
      const { line } = (payload as { args: { line: string } }).args
      return line === 'b' ? { decision: 'deny', reason: 'Not that.' } : { decision: 'allow', scope: 'once' }
    },
  }),
  {
    name: 'middleware: retry',
    agent: world => agentOf(world, failing(world), [retry({ times: 3, baseMs: 1 })]),
    turns: [go],
  },
  using('cost limit', () => [costLimit({ max: 0.045, scope: 'conversation', say: 'Too dear.' })], steps, {
    turns: twoTurns,
  }),
  using('token limit', () => [tokenLimit({ max: 9, say: 'Enough said.' })], steps, { turns: twoTurns }),
  using('step limit', () => [stepLimit({ max: 4, scope: 'conversation' })], steps, { turns: twoTurns }),
  using(
    'circuit breaker',
    () => [circuitBreaker()],
    said => ({
      chunks: [call(`call_${said}`, 'look', { line: 'safe' }), usage],
    }),
  ),
  using(
    'todo',
    () => [todo()],
    said => {
      const chunks: Chunk[][] = [
        [call('call_t', 'todo', items('doing')), usage],
        [call('call_a', 'note', { line: 'a' }), call('call_u', 'todo', items('done')), usage],
      ]
      return chunks[said] ? { chunks: chunks[said] } : 'Done.'
    },
  ),
  using(
    'memory',
    () => [memory({ recall: () => ['They like rain.'], extract: () => {} })],
    (said, { messages }) =>
      messages.some(message => textOf(message).includes('They like rain.'))
        ? (([{ calls: ['a'] }] as const)[said] ?? 'It rains.')
        : 'Who are you?',
  ),
  using('rate limit', () => [rateLimit({ limit: 1, perMs: 3, maxWaitMs: 10_000 })], steps),
  using(
    'tool cache',
    () => [toolCache({ tools: ['look'] })],
    said => (said < 2 ? { chunks: [call(`call_${said}`, 'look', { line: 'safe' }), usage] } : 'Seen.'),
  ),
  using(
    'critic',
    () => [critic(judge, { rounds: 3 })],
    (said, { messages }) => {
      if (isAdvised(messages, 'Say more.')) return 'Better.'
      if (isAdvised(messages, 'It is bad.')) return 'Good.'
      return said === 0 ? { calls: ['a'] } : 'Bad.'
    },
  ),
  using(
    'summarize',
    () => [summarize({ model: opinionated('small', () => 'They noted something.'), over: 5, keep: 2 })],
    (_said, { messages }) => {
      const last = messages.at(-1)
      if (last?.role === 'user') return { calls: [textOf(last) === 'Go.' ? 'a' : 'b'] }
      return messages.some(({ by }) => by === 'summarize') ? 'Done, in short.' : 'Done.'
    },
    { turns: twoTurns },
  ),
  using(
    'structured',
    () => [structured(numbered, { jsonSchema: { type: 'object' } })],
    (said, { messages }) => {
      if (said === 0) return { calls: ['a'] }
      return isAdvised(messages, 'does not fit') ? '{"n":1}' : 'One.'
    },
  ),
  using('continuation', () => [continuation({ max: 1, more: 1 })], steps),
  using(
    'budget with a critic, a retry and a person',
    () => [
      costLimit({ max: 0.055, scope: 'conversation', say: 'Too dear.' }),
      critic(judge, { rounds: 5 }),
      retry({ times: 2, baseMs: 1 }),
      approval(),
    ],
    said => (said === 0 ? { calls: ['a'] } : 'Hm.'),
    { turns: twoTurns },
  ),
]
