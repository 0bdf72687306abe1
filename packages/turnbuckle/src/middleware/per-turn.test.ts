import { createAgent, middleware, type Turn } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { PerTurn } from './per-turn.ts'

test('a note belongs to one turn, begins as given, and is forgotten on request', async () => {
  const seen: Turn[] = []
  const watch = middleware({ name: 'watch', beforeTurn: ctx => void seen.push(ctx.turn) })
  const agent = createAgent({ model: scriptedModel(['Hi.'], { repeat: true }), use: [watch] })
  await agent.send('one')
  await agent.send('two')
  const [one, two] = seen as [Turn, Turn]
  const notes = new PerTurn('first')
  notes.set(one, 'later')
  expect([notes.of(one), notes.of(two)]).toEqual(['later', 'first'])
  notes.reset(one)
  expect(notes.of(one)).toBe('first')
})
