import {
  type Agent,
  agentTool,
  block,
  type Chunk,
  createAgent,
  type Event,
  type Model,
  middleware,
  rewind,
  tool,
} from 'turnbuckle'
import { checkHistory } from 'turnbuckle/testing'
import { middlewareScenarios } from './middleware-scenarios.ts'
import {
  agentOf,
  callChunk,
  go,
  type Reply,
  type Scenario,
  saying,
  scripted,
  simple,
  usage,
  type World,
} from './scenario.ts'

const counting = (scope: 'turn' | 'branch' | 'conversation') =>
  middleware({
    name: `count-${scope}`,
    scope,
    state: { n: 0 },
    beforeTool: ctx => ctx.update(({ n }) => ({ n: n + 1 })),
    afterTool: ctx => ctx.update(({ n }) => ({ n: n + 1 })),
    afterStep: ctx => ctx.update(({ n }) => ({ n: n + 10 })),
  })

/** Only on the way in: who is interrupted is told so before after hooks have run, and may be dead by then. */
const arriving = middleware({
  name: 'arriving',
  scope: 'branch',
  state: { n: 0 },
  beforeTool: ctx => ctx.update(({ n }) => ({ n: n + 1 })),
})

const askFirst = () =>
  middleware({
    name: 'ask-first',
    guard: true,
    async beforeTool(ctx) {
      const answer = await ctx.ask('permission', { name: ctx.call.name, args: ctx.call.args })
      if ((answer as { decision: string }).decision === 'deny') return block('denied')
    },
  })

const again = () =>
  middleware({
    name: 'again',
    async wrapModel(_ctx, next) {
      try {
        return await next()
      } catch {
        return next()
      }
    },
  })

const editor = () =>
  middleware({
    name: 'editor',
    beforeStep(ctx) {
      const first = ctx.messages.at(0)
      if (ctx.step === 1 && first) ctx.messages.replace(first.id, { role: 'user', content: 'Edited.' })
    },
  })

const critic = () =>
  middleware({
    name: 'critic',
    state: { done: false },
    afterDecide(ctx) {
      if (ctx.goesOn || ctx.state.done) return
      ctx.update(() => ({ done: true }))
      return rewind(1, 'Try again.')
    },
  })

const long: readonly Chunk[] = [
  ...Array.from({ length: 60 }, (_, i): Chunk => ({ type: 'text', text: `word ${i} ` })),
  callChunk('a'),
  usage,
]

/** A model that runs the loop itself and lets us run the tools. After a crash it goes on from the history. */
const managed = (world: World): Model => ({
  id: 'managed',
  loop: 'intercept',
  async *stream(prompt, { runTools }) {
    for (const problem of checkHistory(prompt.messages)) world.invalid(problem)
    const said = prompt.messages.filter(({ role }) => role === 'assistant').length
    for (const line of ['a', 'b'].slice(said)) {
      yield { type: 'text', text: `Now ${line}.` }
      await runTools?.([{ id: `call_${line}`, name: 'note', args: { line } }])
    }
    yield { type: 'text', text: 'Done.' }
  },
})

const helped = (world: World): Agent => {
  const inner = { ...world, turns: 0 }
  const model = scripted(inner, saying({ text: 'On it.', calls: ['inner'] }, 'Helped.'))
  const note = tool<{ line: string }>({
    name: 'note',
    run: async ({ line }) => {
      world.effect(line)
      return `noted ${line}`
    },
  })
  const ids = { next: (kind: string) => `sub_${kind}` }
  const helper = createAgent({ name: 'helper', model, tools: [note], store: world.store, breaker: false, ids })
  const outer = scripted(world, saying({ calls: ['a', 'sub'] }, 'Done.'))
  return agentOf(
    world,
    outer,
    [],
    [agentTool<{ line: string }>(helper, { name: 'helper', schema: {}, prompt: () => 'Help.' })],
  )
}

const isCall = (event: Event, id: string) => event.type === 'tool.executing' && event.callId === id

export const scenarios: readonly Scenario[] = [
  simple('plain', saying('Hello.')),
  simple('one tool after another', saying({ text: 'Let me see.', calls: ['a'] }, { calls: ['b'] }, 'Done.')),
  simple('parallel tools', saying({ calls: ['a', 'b', 'safe', 'c'] }, 'Done.')),
  simple('approval', saying({ text: 'May I?', calls: ['a', 'b'] }, 'Done.'), () => [askFirst()]),
  {
    ...simple('interjection', (said, { messages }) =>
      messages.some(({ content }) => content.some(part => part.type === 'text' && part.text === 'And more.'))
        ? 'More, then.'
        : (({ 0: { calls: ['a'] } } as Record<number, Reply>)[said] ?? 'Done.'),
    ),
    react(event, turn, before) {
      if (isCall(event, 'call_a') && !before.some(({ type }) => type === 'interjection.queued'))
        turn.interject('And more.')
    },
  },
  {
    ...simple('fork', saying({ calls: ['a'] }, 'Done.', { calls: ['b'] }, 'Well.')),
    turns: [
      go,
      conversation => conversation.fork('turn_1.u').send('Otherwise.'),
      conversation => conversation.send('More.'),
    ],
    agent: world =>
      agentOf(
        world,
        scripted(world, (said, { messages }) => (said === 0 ? { calls: [`${messages.at(-1)?.id}`] } : 'Done.')),
      ),
  },
  simple(
    'rewind',
    (_said, { messages }) => {
      if (messages.some(({ by }) => by === 'critic')) return 'Good.'
      return messages.some(({ role }) => role === 'assistant') ? 'Bad.' : { calls: ['a'] }
    },
    () => [critic()],
  ),
  {
    name: 'retry',
    agent: world =>
      agentOf(
        world,
        scripted(world, said => {
          if (said > 0) return 'Done.'
          if (world.happened('failure')) return { chunks: [...long.slice(0, 5), callChunk('a')] }
          world.effect('failure')
          return { text: 'Oh', chunks: [{ type: 'text', text: 'Oh' }], error: 'overloaded' }
        }),
        [again()],
      ),
    turns: [go],
  },
  { name: 'sub-agent', agent: helped, turns: [go] },
  simple('edit', saying({ calls: ['a'] }, 'Done.'), () => [editor()]),
  {
    ...simple('interrupt', saying({ calls: ['a', 'b'] }, 'Never said.')),
    agent: world => {
      const hang = tool<{ line: string }>({ name: 'helper', idempotent: true, run: () => new Promise(() => {}) })
      return agentOf(
        world,
        scripted(world, saying({ text: 'Wait.', calls: ['sub'] }, 'Never said.')),
        [arriving],
        [hang],
      )
    },
    react(event, turn) {
      if (isCall(event, 'call_sub')) turn.interrupt('enough')
    },
  },
  simple('long stream', said => (said === 0 ? { chunks: long } : 'Done.')),
  { name: 'managed loop', agent: world => agentOf(world, managed(world)), turns: [go] },
  simple('hooks with state', saying({ calls: ['a', 'b'] }, { calls: ['safe'] }, 'Done.'), () => [
    counting('turn'),
    counting('branch'),
    counting('conversation'),
  ]),
  ...middlewareScenarios,
]
