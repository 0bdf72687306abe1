import { again, createAgent, type Middleware, middleware, replace, rewind, skip, stop, textOf, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

/** A guard that knows only chunks: it hides a word, also where the word comes in two pieces. */
function hides(word: string): Middleware {
  let held = ''
  return middleware({
    name: 'hides',
    guard: true,
    onChunk(chunk) {
      if (chunk.type === 'start') held = ''
      if (chunk.type === 'text') {
        held += chunk.text
        return []
      }
      if (chunk.type !== 'end') return
      return { type: 'text', text: held.replaceAll(word, '***') }
    },
  })
}

const once = { first: true }
const sources: Record<string, Middleware> = {
  'skip(reply)': middleware({ name: 'x', beforeModel: () => skip('my secret') }),
  "a wrap's own reply": middleware({ name: 'x', wrapModel: async () => 'my secret' }),
  'a reply that a wrap has changed': middleware({
    name: 'x',
    wrapModel: async (_ctx, next) => ({ ...(await next()), content: [{ type: 'text', text: 'my secret' }] }),
  }),
  replace: middleware({ name: 'x', afterModel: () => replace('my secret') }),
  again: middleware({
    name: 'x',
    state: once,
    afterDecide(ctx) {
      if (!ctx.state.first) return
      ctx.update(() => ({ first: false }))
      return again('my secret')
    },
  }),
  "rewind's message": middleware({
    name: 'x',
    scope: 'conversation',
    state: once,
    afterDecide(ctx) {
      if (!ctx.state.first) return
      ctx.update(() => ({ first: false }))
      return rewind(0, 'my secret')
    },
  }),
  'a reply that a wrap has changed in place': middleware({
    name: 'x',
    async wrapModel(_ctx, next) {
      const reply = await next()
      expect(() => Object.assign(reply.content[0] ?? {}, { text: 'my secret' })).toThrow(TypeError)
      return 'my secret'
    },
  }),
  'a message that a hook has appended': middleware({
    name: 'x',
    beforeModel: ctx => ctx.messages.append({ role: 'assistant', content: 'my secret' }),
  }),
  'a message that a hook has put in the place of another': middleware({
    name: 'x',
    beforeModel: ctx => ctx.messages.replace(ctx.messages.at(0)?.id ?? '', { role: 'user', content: 'my secret' }),
  }),
  'what a hook interjects': middleware({
    name: 'x',
    afterModel: ctx => (ctx.step ? undefined : ctx.interject('my secret')),
  }),
  'what a tool interjects': middleware({
    name: 'x',
    provides: [tool({ name: 'say', run: (_args, { interject }) => interject('my secret') })],
    afterModel: ctx =>
      ctx.step ? undefined : replace({ ...ctx.result, content: [{ type: 'call', id: 'c', name: 'say', args: {} }] }),
  }),
  'a closing text': middleware({ name: 'x', afterDecide: () => stop('enough', { say: 'my secret' }) }),
  'a message that a hook has changed': middleware({
    name: 'x',
    beforeAppend(ctx) {
      if (ctx.message.role === 'assistant')
        ctx.message = { ...ctx.message, content: [{ type: 'text', text: 'my secret' }] }
    },
  }),
}

test.each(Object.keys(sources))('a guard’s onChunk sees the text of %s before anyone else', async source => {
  const model = scriptedModel(['plain', 'plain'])
  const turn = createAgent({ model, use: [sources[source] ?? [], hides('secret')].flat() }).send('Go.')
  const told: string[] = []
  for await (const event of turn)
    if (event.type === 'message.added') told.push(textOf(event.message))
    else if (event.type === 'history.edited') told.push(...event.messages.map(message => textOf(message)))
    else if (event.type === 'message.delta' || event.type.startsWith('interjection.'))
      told.push((event as { text: string }).text)
  expect(told.join()).toContain('my ***')
  expect(JSON.stringify((await turn).messages)).not.toContain('secret')
  expect(told.join()).not.toContain('secret')
})

test('a guard may refuse it: it is neither shown nor recorded', async () => {
  const no = middleware({ name: 'no', guard: true, onChunk: ({ type }) => (type === 'text' ? stop('no') : undefined) })
  const ready = middleware({ name: 'ready', beforeModel: () => skip('secret') })
  const result = await createAgent({ model: scriptedModel([]), use: [ready, no] }).send('Go.')
  expect(result).toMatchObject({ status: 'stopped', by: 'no', text: '' })
  expect(JSON.stringify(result.messages)).not.toContain('secret')
})

test('a guard does not see again what has come as a stream, nor what a person says', async () => {
  const seen: string[] = []
  const watch = middleware({
    name: 'watch',
    guard: true,
    onChunk: chunk => void (chunk.type === 'text' && seen.push(chunk.text)),
  })
  await createAgent({ model: scriptedModel(['one']), use: [watch] }).send('Go.')
  expect(seen).toEqual(['one'])
})

test('parts of other kinds stay where they are', async () => {
  const content = [
    { type: 'reasoning', text: 'my secret' },
    { type: 'file', mediaType: 'text/plain', data: 'eA==' },
    { type: 'text', text: 'the end' },
  ] as const
  const ready = middleware({ name: 'ready', wrapModel: async () => ({ id: 'r', role: 'assistant', content }) })
  const mark = middleware({
    name: 'mark',
    guard: true,
    onChunk: chunk =>
      chunk.type === 'reasoning' ? { ...chunk, text: chunk.text.replace('secret', '***') } : undefined,
  })
  const { messages } = await createAgent({ model: scriptedModel([]), use: [ready, mark] }).send('Go.')
  expect(messages.at(-1)?.content).toEqual([{ type: 'reasoning', text: 'my ***' }, content[1], content[2]])
})

test('a guard’s onChunk sees the text that a hook gives the turn’s result', async () => {
  const mine = middleware({ name: 'mine', afterTurn: () => replace('my secret') })
  const turn = createAgent({ model: scriptedModel(['plain']), use: [mine, hides('secret')] }).send('Go.')
  const ends: unknown[] = []
  for await (const event of turn) if (event.type === 'turn.completed') ends.push(event.text)
  expect([...ends, (await turn).text]).toEqual(['my ***', 'my ***'])
})

test('the result has no text where a guard refused it', async () => {
  const mine = middleware({ name: 'mine', afterTurn: () => replace('my secret') })
  const no = middleware({
    name: 'no',
    guard: true,
    onChunk: chunk => (chunk.type === 'text' && chunk.text.includes('secret') ? stop('no') : undefined),
  })
  expect((await createAgent({ model: scriptedModel(['plain']), use: [mine, no] }).send('Go.')).text).toBe('')
})

const appends = middleware({
  name: 'appends',
  beforeModel: ctx => ctx.messages.append({ role: 'assistant', content: 'my secret' }),
})

test('a message that a hook writes into the history is not there where a guard refused it', async () => {
  const no = middleware({ name: 'no', guard: true, onChunk: ({ type }) => (type === 'text' ? stop('no') : undefined) })
  const chat = createAgent({ model: scriptedModel(['plain']), use: [appends, no] }).conversation()
  expect(await chat.send('Go.')).toMatchObject({ status: 'stopped', by: 'no' })
  expect(JSON.stringify(chat.tree)).not.toContain('secret')
})

test('a guard that has to be waited for keeps such a message out, with an error that names another way', async () => {
  const slow = middleware({ name: 'slow', guard: true, onChunk: async () => {} })
  const chat = createAgent({ model: scriptedModel(['plain']), use: [appends, slow] }).conversation()
  const { status, reason } = await chat.send('Go.').settled
  expect([status, reason]).toEqual(['failed', expect.stringContaining('Say it with again(…)')])
  expect(JSON.stringify(chat.tree)).not.toContain('secret')
})
