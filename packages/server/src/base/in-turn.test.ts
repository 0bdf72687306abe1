import { expect, test } from 'vitest'
import { InTurn } from './in-turn.ts'

test('work waits for the work before it, also where that fails', async () => {
  const inTurn = new InTurn()
  const order: string[] = []
  const failing = inTurn.run(async () => {
    await Promise.resolve()
    order.push('first')
    throw new Error('no')
  })
  const second = inTurn.run(async () => order.push('second'))
  await expect(failing).rejects.toThrow('no')
  expect([await second, order]).toEqual([2, ['first', 'second']])
})
