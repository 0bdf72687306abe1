import { tool } from 'turnbuckle'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { TurnState } from '../types/turn-state.ts'
import { endLeftCall, endLeftCallsBy } from './left-calls.ts'

test('a developer is told of a left call whose work could not be ended', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => said.mockRestore())
  const helper = tool({ name: 'helper', run: () => 'done' })
  endLeftCallsBy(helper, () => Promise.reject(new Error('The store is down.')))
  const turn = { agent: { toolsOf: () => ({ find: () => helper }) } } as unknown as TurnState
  endLeftCall(turn, { type: 'call', id: 'a', name: 'helper', args: {} }, 'enough')
  await expect
    .poll(() => said.mock.calls)
    .toEqual([['turnbuckle: What worked for "helper" could not be ended: The store is down.']])
})
