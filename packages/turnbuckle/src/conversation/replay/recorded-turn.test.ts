import { createAgent, type Middleware, type Model, middleware, type Turn, tool } from 'turnbuckle'
import { approval, fallback } from 'turnbuckle/middleware'
import { memoryStore, replay } from 'turnbuckle/stores'
import { type ScriptedStep, scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

/** What people and models did in a turn is done again with it, and never for real. */
let asked = 0
const other: Model = {
  id: 'other',
  async *stream() {
    asked++
    yield { type: 'text', text: 'Elsewhere.' }
  },
}
const routed = () =>
  middleware({
    name: 'routed',
    beforeModel(ctx) {
      ctx.prompt = { ...ctx.prompt, model: other }
    },
  })
const asking = () =>
  middleware({
    name: 'asking',
    async beforeModel(ctx) {
      await ctx.generate(other, 'Well?')
    },
  })
/** Half a reply, and then nothing more. */
const stuck: Model = {
  id: 'stuck',
  async *stream(_, { signal }) {
    yield { type: 'text', text: 'Half a' }
    await new Promise((_resolve, reject) => signal.addEventListener('abort', reject))
  },
}

interface Case {
  readonly name: string
  readonly script?: readonly ScriptedStep[]
  readonly model?: Model
  readonly use?: () => Middleware[]
  /** What a person does about the turn's events. */
  readonly person?: (turn: Turn, event: { readonly type: string; readonly requestId?: string }) => void
  readonly status?: string
}
const call = (name = 'note') => ({ text: 'See.', calls: [{ name, args: { a: 1 }, id: 'x' }] })
const answers =
  (answer: unknown): NonNullable<Case['person']> =>
  (turn, { type, requestId = '' }) => {
    if (type === 'request.opened') turn.answer(requestId, answer)
  }
const interrupts =
  (at: string): NonNullable<Case['person']> =>
  (turn, { type }) => {
    if (type === at) turn.interrupt('enough')
  }

async function record({ script = [], model = scriptedModel([...script]), use = () => [], person }: Omit<Case, 'name'>) {
  const note = tool({ name: 'note', run: () => 'noted' })
  const store = memoryStore()
  const chat = createAgent({ model, tools: [note], store, use: use(), breaker: false }).conversation('c')
  const turn = chat.send('Go.')
  for await (const event of turn) person?.(turn, event)
  asked = 0
  return { chat, turn, result: await turn.settled }
}

const search = { type: 'call', id: 's', name: 'search', args: {}, byProvider: true } as const

const cases: readonly Case[] = [
  { name: 'a call of a tool that is not there', script: [call('nothing'), 'Done.'] },
  {
    name: 'an interjection',
    script: [call(), 'Done.'],
    person: (turn, { type }) => {
      if (type === 'tool.executing') turn.interject('And this.')
    },
  },
  {
    name: 'an interjection of a hook',
    script: [call(), 'Done.'],
    use: () => [middleware({ name: 'says', beforeTool: ctx => ctx.interject('And this.') })],
  },
  {
    name: 'an interjection of a tool',
    script: [call('say'), 'Done.'],
    use: () => [
      middleware({
        name: 'has',
        provides: [tool({ name: 'say', run: (_args, { interject }) => interject('And this.') })],
      }),
    ],
  },
  {
    name: 'an interjection after the last word',
    script: ['One.', 'Two.'],
    person: (turn, { type }) => {
      if (type === 'turn.started') turn.interject('And this.')
    },
  },
  {
    name: 'an interrupt in a tool',
    script: [call(), 'Done.'],
    person: interrupts('tool.executing'),
    status: 'interrupted',
  },
  { name: 'an interrupt in a reply', model: stuck, person: interrupts('message.started'), status: 'interrupted' },
  {
    name: 'an interrupt in a question',
    script: [call(), 'Done.'],
    use: () => [approval({ ask: ['note'] })],
    person: interrupts('request.opened'),
    status: 'interrupted',
  },
  {
    name: 'a permission',
    script: [call(), 'Done.'],
    use: () => [approval({ ask: ['note'] })],
    person: answers({ decision: 'allow' }),
  },
  {
    name: 'a refusal',
    script: [call(), 'Done.'],
    use: () => [approval({ ask: ['note'] })],
    person: answers({ decision: 'deny' }),
  },
  {
    name: 'a provider that pauses in its own search',
    script: [{ chunks: [search, { type: 'finish', reason: 'pause' }] }, 'Done.'],
  },
  {
    name: 'a provider that asks before it searches',
    script: [{ chunks: [{ ...search, approval: 'a' }] }, 'Done.'],
    person: answers({ decision: 'allow' }),
  },
  {
    name: 'texts side by side, one with data of the provider',
    script: [
      {
        chunks: [
          { type: 'text', text: 'One. ' },
          { type: 'text', text: '', end: true },
          { type: 'text', text: 'Two.', meta: { signature: 's' } },
        ],
      },
    ],
  },
  { name: 'a model that fails', script: [{ error: 'boom' }], status: 'failed' },
  { name: 'a model that a hook has chosen', use: () => [routed()] },
  { name: 'a model that another stood in for', script: [{ error: 'boom' }], use: () => [fallback([other])] },
]

test.each(cases)('$name: the same middleware over the same turn is the same', async given => {
  const { chat, turn, result } = await record(given)
  expect(result.status).toBe(given.status ?? 'completed')
  const replayed = await replay(chat, turn, { use: given.use?.() ?? [] })
  expect(replayed).toMatchObject({ outcome: 'same', differences: [], divergence: undefined })
  expect(replayed.result).toMatchObject({ status: result.status, text: result.text, reason: result.reason })
  expect(asked).toBe(0)
})

describe('no model is asked, whoever chooses it', () => {
  test.each([
    { name: 'a hook before', use: [routed()], where: 'model call 0', reason: 'its model is now other' },
    {
      name: 'a wrap',
      use: [middleware({ name: 'wrap', wrapModel: (ctx, next) => next({ ...ctx.prompt, model: other }) })],
      where: 'model call 0',
      reason: 'its model is now other',
    },
    {
      name: 'a hook that asks one itself',
      use: [asking()],
      where: 'a model call of a hook',
      reason: 'what a hook asks a model itself is not in the record',
    },
  ])('$name', async ({ use, where, reason }) => {
    const { chat, turn } = await record({ script: ['Hi.'] })
    const replayed = await replay(chat, turn, { use })
    expect(replayed).toMatchObject({ outcome: 'diverged', divergence: { at: 'prompt', where, reason } })
    expect(asked).toBe(0)
  })
})
