import { createAgent, debugPipeline, type Middleware, middleware, replace, type Span, tool } from 'turnbuckle'
import { redact } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const look = tool({ name: 'look', run: () => 'seen' })
const words = (text: string) => ({ role: 'user' as const, content: [{ type: 'text' as const, text }] })

/** Runs a turn of two steps with a call. Gives each change as `hook what`, with its values. */
async function changesOf(...use: Middleware[]) {
  const spans: Span[] = []
  const model = scriptedModel([{ text: 'Looking.', calls: [{ name: 'look' }] }, 'Done.'], { repeat: true })
  const pipeline = debugPipeline(span => spans.push(span))
  const turn = createAgent({ model, tools: [look], use, pipeline, breaker: false }).send('Go.')
  await turn.settled
  const changes = spans.flatMap(({ by, at, changed = [] }) =>
    changed.map(({ what, before, after }) => ({ told: `${by} ${at} ${what}`, before, after })),
  )
  return { changes, told: changes.map(({ told }) => told) }
}

test('a wrap is not told to have changed what the turn and other hooks change inside its next', async () => {
  const watching = middleware({
    name: 'watching',
    state: 0,
    wrapTurn: (_, next) => next(),
    wrapStep: (_, next) => next(),
    wrapModel: (_, next) => next(),
    wrapTools: (_, next) => next(),
    wrapTool: (_, next) => next(),
    wrapAppend: (_, next) => next(),
    afterModel: ctx => ctx.update(n => n + 1),
  })
  const busy = middleware({
    name: 'busy',
    beforeStep: ctx => ctx.instruct('Be kind.'),
    wrapModel: (ctx, next) => next({ ...ctx.prompt, instructions: 'Be brief.' }),
  })
  expect((await changesOf(watching, busy)).told).toEqual([
    'busy beforeStep instructions',
    'busy wrapModel input',
    'watching afterModel state',
    'busy beforeStep instructions',
    'busy wrapModel input',
    'watching afterModel state',
  ])
})

test('a wrap is told to have changed what it changes before and behind its next, and no more', async () => {
  const edits = middleware({
    name: 'edits',
    state: 0,
    async wrapTurn(ctx, next) {
      ctx.update(() => 1)
      ctx.update(() => 2)
      const result = await next()
      ctx.update(() => 3)
      return result
    },
    async wrapStep(ctx, next) {
      await next()
      if (ctx.isFirstStep) ctx.messages.append(words('And now?'))
    },
  })
  const { changes } = await changesOf(edits)
  expect(changes.map(({ told }) => told)).toEqual(['edits wrapStep messages', 'edits wrapTurn state'])
  expect(changes[1]).toMatchObject({ before: 0, after: 3 })
  expect(changes[0]).toMatchObject({ before: { depth: 3 }, after: { depth: 4, message: words('And now?') } })
})

test('changes that others come between are told one by one', async () => {
  const counts = middleware({
    name: 'counts',
    state: 0,
    async wrapTurn(ctx, next) {
      ctx.update(() => 1)
      const result = await next()
      ctx.update(n => n + 1)
      return result
    },
    beforeStep: ctx => ctx.update(n => n + 10),
  })
  const own = (await changesOf(counts)).changes.filter(({ told }) => told === 'counts wrapTurn state')
  expect(own.map(({ before, after }) => [before, after])).toEqual([
    [0, 1],
    [21, 22],
  ])
})

test('a hook that reads the prompt has not changed it by what another one queued', async () => {
  const queues = middleware({ name: 'queues', beforeModel: ctx => ctx.instruct('Be kind.') })
  const reads = middleware({ name: 'reads', beforeModel: ctx => void ctx.prompt.instructions })
  const writes = middleware({
    name: 'writes',
    beforeModel(ctx) {
      ctx.prompt.params = { ...ctx.prompt.params, temperature: 0 }
    },
  })
  const { told, changes } = await changesOf(queues, reads, writes)
  expect(told.slice(0, 2)).toEqual(['queues beforeModel instructions', 'writes beforeModel input'])
  expect(changes[1]).toMatchObject({ before: { instructions: 'Be kind.' }, after: { instructions: 'Be kind.' } })
})

test('a hook that leaves the prompt of a judge alone has not changed it, one that assigns to it has', async () => {
  const asking = middleware({
    name: 'asking',
    async afterDecide(ctx) {
      await ctx.generate(scriptedModel(['Yes.']), { messages: [{ id: 'q', ...words('Is it good?') }] })
    },
  })
  const reads = middleware({ name: 'reads', beforeGenerate: ctx => void ctx.prompt.messages.length })
  const assigns = middleware({
    name: 'assigns',
    beforeGenerate(ctx) {
      ctx.prompt.instructions = 'Be strict.'
    },
  })
  const { told } = await changesOf(asking, reads, assigns)
  expect(told.slice(0, 1)).toEqual(['assigns beforeGenerate input'])
  expect(told.filter(line => line.startsWith('reads'))).toEqual([])
})

test('a result, a shared value and a piece of the reply that a hook puts in place are told', async () => {
  const puts = middleware({
    name: 'puts',
    beforeTurn: ctx => ctx.shared.set('city', 'Oslo'),
    onChunk: chunk => (chunk.type === 'text' ? { ...chunk, text: chunk.text.toUpperCase() } : undefined),
    wrapTool: async (_, next) => ({ ...(await next()), value: 'more' }),
    afterTool: () => replace('most'),
  })
  const { changes, told } = await changesOf(puts)
  expect(new Set(told)).toEqual(
    new Set(['puts beforeTurn shared', 'puts onChunk chunk', 'puts wrapTool result', 'puts afterTool result']),
  )
  expect(changes.find(({ told }) => told === 'puts wrapTool result')).toMatchObject({
    before: { value: 'seen' },
    after: { value: 'more' },
  })
  expect(changes.find(({ told }) => told === 'puts afterTool result')).toMatchObject({
    before: { value: 'more' },
    after: { value: 'most' },
  })
})

test('what a redactor takes out is in no change, nor in pieces', async () => {
  const shows = middleware({
    name: 'shows',
    onChunk: chunk => (chunk.type === 'text' ? [chunk, { type: 'text', text: '!' }] : undefined),
    afterTool: () => replace('seen by look'),
    wrapTool: async (_, next) => ({ ...(await next()), value: 'look seen' }),
  })
  const { changes } = await changesOf(shows, ...[redact(/seen|Looking/, '[out]')].flat())
  expect(changes.length).toBeGreaterThan(0)
  expect(JSON.stringify(changes)).not.toMatch(/seen|Looking/)
})

test('a call of another hook that runs beside one is none of its changes', async () => {
  const batch = scriptedModel([{ calls: [{ name: 'look' }, { name: 'look', args: { again: true } }] }, 'Done.'])
  const spans: Span[] = []
  let first: (() => void) | undefined
  const beside = middleware({
    name: 'beside',
    state: 0,
    async wrapTool(ctx, next) {
      if (first) {
        ctx.update(() => 7)
        first()
      } else {
        await new Promise<void>(resolve => {
          first = resolve
        })
      }
      return next()
    },
  })
  const pipeline = debugPipeline(span => spans.push(span))
  await createAgent({ model: batch, tools: [look], use: [beside], pipeline, breaker: false }).send('Go.').settled
  const wraps = spans.filter(({ at }) => at === 'wrapTool').sort((a, b) => a.id - b.id)
  expect(wraps.map(({ changed }) => changed?.map(({ what }) => what))).toEqual([[], ['state']])
})
