import { expect, test } from 'vitest'
import { InterruptibleWaits } from './interruptible-waits.ts'

const never = () => new Promise<never>(() => {})
const isPending = async (promise: Promise<unknown>) => {
  const mark = Symbol('pending')
  const settled = promise.then(
    () => false,
    () => false,
  )
  // A few rounds of the queue, so that a promise which settles has settled.
  for (let i = 0; i < 5; i++) await Promise.resolve()
  return (await Promise.race([settled, Promise.resolve(mark)])) === mark
}

test('a wait gives what was waited for', async () => {
  const waits = new InterruptibleWaits()
  await expect(waits.race(Promise.resolve('value'))).resolves.toBe('value')
  await expect(waits.race(Promise.reject(new Error('off')))).rejects.toThrow('off')
})

test('the end rejects every wait as interrupted', async () => {
  const waits = new InterruptibleWaits()
  const both = [waits.race(never()), waits.race(never())]
  waits.end()
  for (const wait of both) await expect(wait).rejects.toMatchObject({ code: 'turn.interrupted' })
})

test('a wait that begins after an end is not ended by it', async () => {
  const waits = new InterruptibleWaits()
  waits.end()
  expect(await isPending(waits.race(never()))).toBe(true)
})

test('a frozen wait neither resolves, nor rejects, nor is ended', async () => {
  const waits = new InterruptibleWaits()
  const frozen = [waits.race(Promise.resolve(1)), waits.race(Promise.reject(new Error('off'))), waits.race(never())]
  waits.freeze()
  waits.end()
  expect(await Promise.all(frozen.map(isPending))).toEqual([true, true, true])
})

test('a listener that was taken off hears no end; the others do, once', () => {
  const waits = new InterruptibleWaits()
  const heard: string[] = []
  const offs = ['a', 'b', 'c'].map(name => waits.on(() => heard.push(name)))
  offs[0]?.()
  offs[0]?.()
  waits.end()
  waits.end()
  expect(heard.sort()).toEqual(['b', 'c'])
})
