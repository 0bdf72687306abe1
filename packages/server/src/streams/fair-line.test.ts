import { expect, onTestFinished, test, vi } from 'vitest'
import { FairLine } from './fair-line.ts'

function setUp(most: number) {
  const line = new FairLine(most)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const add = (reader: object, name: string) =>
    line.add(reader, () => {
      begun.push(name)
      return new Promise(resolve => ends.push(resolve))
    })
  /** Ends the piece that has been at work longest. */
  const end = async () => {
    ends.shift()?.()
    await new Promise(resolve => setImmediate(() => setImmediate(resolve)))
  }
  return { line, begun, add, end }
}

test('readers take turns, however much one of them wants', async () => {
  const { begun, add, end } = setUp(2)
  const [greedy, modest] = [{}, {}]
  for (const name of ['g1', 'g2', 'g3', 'g4']) add(greedy, name)
  add(modest, 'm1')
  expect(begun).toEqual(['g1', 'g2'])
  await end()
  await end()
  expect(begun).toEqual(['g1', 'g2', 'g3', 'm1'])
  await end()
  expect(begun).toEqual(['g1', 'g2', 'g3', 'm1', 'g4'])
})

test('what a reader waits for that has left is not begun', async () => {
  const { line, begun, add, end } = setUp(1)
  const [gone, here] = [{}, {}]
  add(gone, 'g1')
  add(gone, 'g2')
  add(here, 'h1')
  line.leave(gone)
  await end()
  expect(begun).toEqual(['g1', 'h1'])
})

test('between two pieces that are done at once other work of the process goes on', async () => {
  const line = new FairLine(1)
  const order: string[] = []
  for (const name of ['first', 'second'])
    line.add({}, async () => {
      order.push(name)
    })
  setImmediate(() => order.push('other'))
  await new Promise(resolve => setImmediate(() => setImmediate(resolve)))
  expect(order).toEqual(['first', 'other', 'second'])
})

test('what is at work for a reader that has left holds up no other', () => {
  const { line, begun, add } = setUp(2)
  const [gone, here] = [{}, {}]
  for (const name of ['g1', 'g2', 'g3']) add(gone, name)
  for (const name of ['h1', 'h2', 'h3']) add(here, name)
  line.leave(gone)
  expect(begun).toEqual(['g1', 'g2', 'h1', 'h2'])
})

test('what hangs holds up the others for some seconds, and once it ends all the same lets no further one in', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { begun, add, end } = setUp(1)
  const reader = {}
  for (const name of ['hangs', 'next', 'last']) add(reader, name)
  vi.advanceTimersByTime(1000)
  expect(begun).toEqual(['hangs'])
  vi.advanceTimersByTime(4000)
  expect(begun).toEqual(['hangs', 'next'])
  await end()
  expect(begun).toEqual(['hangs', 'next'])
  await end()
  expect(begun).toEqual(['hangs', 'next', 'last'])
})

test('work that fails makes room as work that is done does', async () => {
  const line = new FairLine(1)
  const reader = {}
  const next = new Promise<void>(resolve => {
    line.add(reader, () => Promise.reject(new Error('failed')))
    line.add(reader, async () => resolve())
  })
  await next
})
