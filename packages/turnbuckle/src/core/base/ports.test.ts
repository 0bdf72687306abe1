import { expect, test } from 'vitest'
import { abandon, isThenable, randomIds, systemClock } from './ports.ts'

test('random ids begin with their kind and differ', () => {
  const ids = [randomIds.next('msg'), randomIds.next('msg')]
  expect(ids.every(id => id.startsWith('msg_'))).toBe(true)
  expect(new Set(ids).size).toBe(2)
})

test('a timer of the system clock that was called off does not run', async () => {
  const ran: string[] = []
  systemClock.after(0, () => ran.push('off'))()
  await new Promise<void>(resolve => {
    systemClock.after(1, () => {
      ran.push('on')
      resolve()
    })
  })
  expect(ran).toEqual(['on'])
})

test('abandoning a stream returns its iterator, and neither waits nor throws', async () => {
  let returned = 0
  const next = () => new Promise<never>(() => {})
  abandon({
    next,
    return: () => {
      returned++
      return Promise.reject(new Error('off'))
    },
  })
  abandon({
    next,
    return: () => {
      returned++
      throw new Error('off')
    },
  })
  abandon({ next })
  // A rejection that nobody handles would fail the run.
  await new Promise<void>(resolve => setImmediate(resolve))
  expect(returned).toBe(2)
})

test.each<[string, unknown, boolean]>([
  ['a promise', Promise.resolve(), true],
  ['an object with a function then', Object.fromEntries([['then', () => {}]]), true],
  ['an object with another then', Object.fromEntries([['then', 1]]), false],
  ['nothing', null, false],
  ['text', 'then', false],
])('whether %s is waited for', (_what, value, is) => {
  expect(isThenable(value)).toBe(is)
})
