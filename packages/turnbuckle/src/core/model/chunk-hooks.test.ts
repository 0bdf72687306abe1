import { createAgent, type Model, middleware, type ShownChunk, skip, stop } from 'turnbuckle'
import { moderation, retry } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

type OnChunk = (chunk: ShownChunk) => unknown

/** A middleware around the text of a reply, by what it makes of each chunk. */
const onChunk = (name: string, pass: OnChunk, more: object = {}) =>
  middleware({ name, ...more, onChunk: chunk => pass(chunk) as never })

const said = async (use: readonly ReturnType<typeof onChunk>[], texts = ['one ', 'two']) => {
  const model = scriptedModel([{ chunks: texts.map(text => ({ type: 'text' as const, text })) }])
  return (await createAgent({ model, use: [...use] }).send('Go.')).text
}
const shout: OnChunk = chunk => (chunk.type === 'text' ? { ...chunk, text: chunk.text.toUpperCase() } : undefined)

test('a chunk goes through the hooks in their order, each gets what the one before it let out', async () => {
  const mark: OnChunk = chunk => (chunk.type === 'text' ? [chunk, { type: 'text', text: 'x' }] : undefined)
  expect(await said([onChunk('mark', mark), onChunk('shout', shout)])).toBe('ONE XTWOX')
})

test('text that a hook held back and lets out at the end goes through the hooks behind it', async () => {
  let held = ''
  const hold: OnChunk = chunk => {
    if (chunk.type === 'end') return { type: 'text', text: held }
    if (chunk.type !== 'text') return undefined
    held += chunk.text
    return []
  }
  expect(await said([onChunk('hold', hold), onChunk('shout', shout)])).toBe('ONE TWO')
})

test('a hook cannot let out the beginning or the end of an attempt', async () => {
  const ends: string[] = []
  const repeat: OnChunk = chunk => [chunk, { type: 'end' }]
  await said([onChunk('repeat', repeat), onChunk('count', chunk => void (chunk.type === 'end' && ends.push('end')))])
  expect(ends).toEqual(['end'])
})

test('once a hook has ended the step, the rest of what the hook before it let out is not shown', async () => {
  const split: OnChunk = chunk =>
    chunk.type === 'text' ? [...chunk.text].map(text => ({ type: 'text', text })) : undefined
  const end: OnChunk = chunk => (chunk.type === 'text' && chunk.text === 'c' ? stop('enough') : undefined)
  expect(await said([onChunk('split', split), onChunk('end', end)], ['abcd'])).toBe('ab')
})

test('a hook that returns no chunk has failed: its chunk passes, unless it is a guard', async () => {
  const odd: OnChunk = chunk => (chunk.type === 'text' && chunk.text === 'one ' ? 'odd' : chunk)
  expect(await said([onChunk('odd', odd)])).toBe('one two')
  await expect(said([onChunk('odd', odd, { guard: true })])).rejects.toThrow('returned no chunk')
})

/** Says a word, and then nothing more, whatever its signal says. */
const hangs = (word = 'one '): Model => ({
  id: 'hangs',
  async *stream() {
    yield { type: 'text', text: word }
    await new Promise(() => {})
  },
})
/** The beginnings and ends that a hook is told, and the texts between them. */
function listens(name = 'listens', more: object = {}) {
  const heard: string[] = []
  const tell = (chunk: ShownChunk) =>
    void heard.push(chunk.type === 'text' ? chunk.text : chunk.type === 'end' && chunk.lost ? 'lost' : chunk.type)
  return { heard, use: middleware({ name, ...more, onChunk: tell }) }
}

test('an attempt that an interrupt ends has an end, behind the terminal event and before the hooks after the model', async () => {
  const { heard, use } = listens()
  const after = middleware({ name: 'after', afterModel: () => void heard.push('afterModel') })
  const chat = createAgent({ model: hangs(), use: [use, after] }).conversation()
  chat.subscribe(({ type }) => void (type === 'turn.interrupted' && heard.push(type)))
  const turn = chat.send('Go.')
  for await (const event of turn) if (event.type === 'message.delta') turn.interrupt('enough')
  await expect.poll(() => heard).toEqual(['start', 'one ', 'turn.interrupted', 'lost', 'afterModel'])
})

test('text that a hook lets out at the end of an interrupted attempt is dropped', async () => {
  const hold = middleware({
    name: 'hold',
    onChunk: chunk => (chunk.type === 'end' ? { type: 'text', text: 'held' } : undefined),
  })
  const chat = createAgent({ model: hangs(), use: [hold] }).conversation()
  const turn = chat.send('Go.')
  for await (const event of turn) if (event.type === 'message.delta') turn.interrupt()
  await turn
  await chat.kept()
  expect(JSON.stringify(chat.tree)).not.toContain('held')
})

test('a hook that is busy with a chunk when the interrupt comes is told the end as well', async () => {
  const { heard, use } = listens('behind')
  const busy: string[] = []
  const slow = middleware({
    name: 'slow',
    onChunk(chunk) {
      busy.push(chunk.type)
      return chunk.type === 'text' ? new Promise<never>(() => {}) : undefined
    },
  })
  const turn = createAgent({ model: hangs(), use: [slow, use] }).send('Go.')
  await expect.poll(() => busy).toContain('text')
  turn.interrupt()
  await turn
  await expect.poll(() => heard).toEqual(['start', 'lost'])
  expect(busy).toEqual(['start', 'text', 'end'])
})

const cutAt = (word: string) => {
  let end: ((reason: unknown) => void) | undefined
  return middleware({
    name: 'cut',
    wrapModel: (_ctx, next) =>
      next(undefined, {
        until: cut => {
          end = cut
          return () => {}
        },
      }),
    onEvent: event => (event.type === 'message.delta' && event.text === word ? end?.(new Error('slow')) : undefined),
  })
}

test('an attempt that a limit ends while its model hangs has an end, before the next begins', async () => {
  const { heard, use } = listens()
  const models = [hangs(), scriptedModel(['two'])]
  const model: Model = { id: 'm', stream: (...given) => (models.shift() as Model).stream(...given) }
  const turn = createAgent({ model, use: [retry({ baseMs: 1, when: () => true }), cutAt('one '), use] }).send('Go.')
  expect((await turn).text).toBe('two')
  expect(heard).toEqual(['start', 'one ', 'lost', 'start', 'two', 'finish', 'end'])
})

test('a chunk that a hook is still busy with when its attempt is over reaches no hook behind it', async () => {
  const { heard, use } = listens('behind')
  let letGo: () => void = () => {}
  let first = true
  const slow = middleware({
    name: 'slow',
    onChunk(chunk) {
      if (chunk.type !== 'text' || !first) return
      first = false
      return new Promise<undefined>(resolve => {
        letGo = () => resolve(undefined)
      })
    },
  })
  let end: ((reason: unknown) => void) | undefined
  const cut = middleware({
    name: 'cut',
    wrapModel: (_ctx, next) =>
      next(undefined, {
        until: by => {
          end = by
          return () => {}
        },
      }),
  })
  const model = scriptedModel(['one', 'two'])
  const turn = createAgent({ model, use: [retry({ baseMs: 1, when: () => true }), cut, slow, use] }).send('Go.')
  await expect.poll(() => first).toBe(false)
  end?.(new Error('slow'))
  expect((await turn).text).toBe('two')
  letGo()
  await new Promise(setImmediate)
  expect(heard).toEqual(['start', 'lost', 'start', 'two', 'finish', 'end'])
})

test('a guard on a ready text that is interrupted hears its end', async () => {
  const marks: string[] = []
  const guard = middleware({
    name: 'guard',
    guard: true,
    onChunk(chunk) {
      marks.push(chunk.type)
      return chunk.type === 'text' ? new Promise<never>(() => {}) : undefined
    },
  })
  const ready = middleware({ name: 'ready', beforeModel: () => skip('ready') })
  const turn = createAgent({ model: scriptedModel([]), use: [ready, guard] }).send('Go.')
  await expect.poll(() => marks).toContain('text')
  turn.interrupt()
  await turn
  await expect.poll(() => marks).toEqual(['start', 'text', 'end'])
})

test('a moderator is not asked about text that it holds back when the attempt is lost', async () => {
  const asked: string[] = []
  const guard = moderation({ check: text => void asked.push(text) })
  const broken = { text: 'Half a sen', error: new Error('reset') }
  const model = scriptedModel([broken, 'A sentence.'])
  const turn = createAgent({ model, use: [retry({ baseMs: 1, when: () => true }), guard] }).send('Go.')
  expect((await turn).text).toBe('A sentence.')
  expect(asked).toEqual(['Go.', 'A sentence.'])
})
