import { expect, test } from 'vitest'
import type { PaintAnswer, PaintOrder } from './paint-messages.ts'
import { createPaintService } from './paint-service.ts'
import { createPaintedBlock } from './painted-block.ts'

/** A block whose orders wait until the test lets the service carry them out. */
function blockOfTest() {
  const orders: PaintOrder[] = []
  const answers: PaintAnswer[] = []
  const seen: string[] = []
  let receive: (answer: PaintAnswer) => void = () => {}
  const highlight = (text: string) => {
    seen.push(text)
    return { lines: [[{ text }]], after: undefined }
  }
  const serve = createPaintService(
    async () => highlight,
    answer => {
      answers.push(answer)
      receive(answer)
    },
  )
  const shown: string[] = []
  const port = {
    send: (order: PaintOrder) => void orders.push(order),
    listen(_: number, listener: typeof receive) {
      receive = listener
      return () => {}
    },
  }
  const block = createPaintedBlock(port, 'ts', painted => shown.push(painted.map(({ text }) => text).join(' ')))
  const work = async () => {
    for (const order of orders.splice(0)) await serve(order)
  }
  return { block, orders, answers, seen, shown, work }
}

test('a long block is ordered three chunks at a time, so that the page draws it in small tasks', async () => {
  const { block, answers, shown, work } = blockOfTest()
  block.show(Array.from({ length: 7 }, (_, i) => `c${i}`))
  for (let i = 0; i < 3; i++) await work()
  expect(answers.map(({ from, painted }) => [from, painted.length])).toEqual([
    [0, 3],
    [3, 3],
    [6, 1],
  ])
  expect(shown.at(-1)).toBe('c0 c1 c2 c3 c4 c5 c6')
})

test('while an order is under way a growing block asks for nothing; then for what has changed since', async () => {
  const { block, orders, seen, shown, work } = blockOfTest()
  block.show(['a', 'b'])
  block.show(['a', 'b2'])
  block.show(['a', 'b23', 'c'])
  expect(orders).toHaveLength(1)
  await work()
  expect(orders).toMatchObject([{ from: 1, chunks: ['b23', 'c'] }])
  await work()
  expect(seen).toEqual(['a', 'b', 'b23', 'c'])
  expect(shown.at(-1)).toBe('a b23 c')
})

test('a block that is gone is forgotten: its number begins anew', async () => {
  const { block, orders, work, seen } = blockOfTest()
  block.show(['a'])
  await work()
  block.close()
  expect(orders).toMatchObject([{ chunks: undefined }])
  await work()
  expect(seen).toEqual(['a'])
})
