import { createAgent, middleware, type ShownChunk, stop } from 'turnbuckle'
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
