import { createAgent, type Middleware, middleware, pipeline, stage, textOf } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { look } from '../../../test/support/looking.ts'

declare module 'turnbuckle' {
  interface OwnStages {
    sift: { input: unknown; result: { thoughts: number } }
  }
}

const kept = { thoughts: 1 }
const sift = stage({ name: 'sift', run: () => kept })

/** Every change is one that TypeScript refuses. */
const changes: Record<string, Middleware> = {
  'the text of a reply': middleware({
    name: 'x',
    afterModel: ({ reply }) => void Object.assign(reply.content[0] ?? {}, { text: 'mine' }),
  }),
  'the parts of a reply': middleware({
    name: 'x',
    afterModel: ({ result }) => void Reflect.apply(Array.prototype.push, result.content, ['mine']),
  }),
  'the result of a call': middleware({
    name: 'x',
    afterTool: ({ result }) => void Object.assign(result, { value: 'mine' }),
  }),
  'the results of a batch': middleware({
    name: 'x',
    afterTools: ({ results }) => void Object.assign(results[0] ?? {}, { value: 'mine' }),
  }),
  'the node of a recorded message': middleware({
    name: 'x',
    afterAppend: ({ result }) => void Object.assign(result, { id: 'mine' }),
  }),
  'the result of an own stage': middleware({
    name: 'x',
    afterSift: ({ result }) => void Object.assign(result, { thoughts: 2 }),
  }),
  'the result of the turn': middleware({
    name: 'x',
    afterTurn: ({ result }) => void Object.assign(result, { text: 'mine' }),
  }),
}

test.each(Object.keys(changes))('%s cannot be changed in place, and the error names the way', async change => {
  const model = scriptedModel([{ text: 'Hm.', calls: [{ name: 'look' }] }, 'Yes.'])
  const use = [changes[change] ?? []].flat()
  const turn = createAgent({ model, tools: [look], pipeline: pipeline().after('model', sift), use }).send('Go')
  const errors: string[] = []
  for await (const event of turn) if (event.type === 'hook.failed') errors.push(event.error)
  expect(errors[0]).toContain('return replace(…) to change the result')
  const { text, messages } = await turn
  expect([text, messages.map(message => textOf(message))]).toEqual(['Yes.', ['Go', 'Hm.', '', 'Yes.']])
})

test('an object that a stage keeps for itself is not frozen under its hands', async () => {
  const looks = middleware({ name: 'looks', afterSift: ({ result }) => void expect(result).toEqual({ thoughts: 1 }) })
  const turn = createAgent({ model: scriptedModel(['Hi.']), pipeline: pipeline().after('model', sift), use: [looks] })
  await turn.send('Go')
  expect(Object.isFrozen(kept)).toBe(false)
})
