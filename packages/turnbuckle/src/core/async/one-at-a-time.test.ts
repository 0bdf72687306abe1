import { expect, test } from 'vitest'
import { OneAtATime } from './one-at-a-time.ts'

test('work begins when the work before it has ended, in the order it came', async () => {
  const line = new OneAtATime()
  const log: string[] = []
  const ends: (() => void)[] = []
  const work = (name: string) => () => {
    log.push(`${name} begins`)
    return new Promise<void>(resolve => ends.push(resolve)).then(() => void log.push(`${name} ends`))
  }
  const first = line.pass(work('a'))
  const second = line.pass(work('b'))
  await Promise.resolve()
  expect(log).toEqual(['a begins'])
  ends[0]?.()
  await first
  await Promise.resolve()
  ends[1]?.()
  await second
  expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
})

test('each caller gets the value of its own work', async () => {
  const line = new OneAtATime()
  expect(await Promise.all([line.pass(() => 1), line.pass(async () => 2)])).toEqual([1, 2])
})

test('work that fails rejects for its caller, and lets the next begin', async () => {
  const line = new OneAtATime()
  const broken = line.pass(() => Promise.reject(new Error('off')))
  const next = line.pass(() => 'on')
  await expect(broken).rejects.toThrow('off')
  expect(await next).toBe('on')
})
