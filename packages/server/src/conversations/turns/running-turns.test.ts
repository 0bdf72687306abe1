import { createAgent } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { gate } from '../../../test/serve.ts'
import { RunningTurns } from './running-turns.ts'

test('a turn is in the list while it runs, and is found after its end', async () => {
  const held = gate()
  const agent = createAgent({ model: scriptedModel([() => held.opened.then(() => 'late')]) })
  const turns = new RunningTurns(100)
  const turn = agent.conversation().send('hi')
  const ended = turns.add(turn)
  await turn.began
  expect([turns.list, turns.hasBegun, turns.isEmpty]).toEqual([[turn], true, false])
  held.open()
  await ended
  expect([turns.list, turns.hasBegun, turns.isEmpty]).toEqual([[], false, true])
  expect(turns.get(turn.id)).toBe(turn)
})

test('the last hundred turns that ended are kept', async () => {
  const agent = createAgent({ model: scriptedModel(['Hi.'], { repeat: true }) })
  const turns = new RunningTurns(100)
  const ids: string[] = []
  for (let i = 0; i < 101; i++) {
    const turn = agent.conversation().send('hi')
    ids.push(turn.id)
    await turns.add(turn)
  }
  expect(turns.get(ids[0] ?? '')).toBeUndefined()
  expect(ids.slice(1).every(id => turns.get(id))).toBe(true)
})
