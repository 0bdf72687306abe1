import { memoryStore } from 'turnbuckle/stores'
import { expect, test } from 'vitest'
import { StoredSchedules, timeFrom } from './stored-schedules.ts'

test.each([
  { what: 'a time to come', at: 100, now: 99, gives: 100 },
  { what: 'a time that is now', at: 100, now: 100, gives: 100 },
  { what: 'a single time that is over', at: 100, now: 101, gives: undefined },
  { what: 'the first of several', at: 100, every: 10, now: 50, gives: 100 },
  { what: 'one of several', at: 100, every: 10, now: 101, gives: 110 },
  { what: 'one of several that is now', at: 100, every: 10, now: 120, gives: 120 },
  { what: 'several that nobody could send at', at: 100, every: 10, now: 195, gives: 200 },
])('the time of a schedule: $what', ({ at, every, now, gives }) => {
  expect(timeFrom({ at, every }, now)).toBe(gives)
})

test('a conversation that is deleted takes its schedules with it, and none of others', async () => {
  const schedules = new StoredSchedules(memoryStore())
  const schedule = { id: 's', making: 'm', text: 'Hi', by: 'me', at: 1 }
  await schedules.put('one', schedule)
  await schedules.put('two', schedule)
  await schedules.forget('one')
  expect(await schedules.list('one')).toEqual([])
  expect(await schedules.list('two')).toEqual([schedule])
})

test('a schedule that is over with a token is erased with its conversation', async () => {
  const erased: string[] = []
  const store = memoryStore()
  const set = store.set.bind(store)
  store.set = (space, key, value, ...rest) => {
    if (value === undefined) erased.push(key)
    return set(space, key, value, ...rest)
  }
  const schedules = new StoredSchedules(store)
  await schedules.put('one', { id: 's', making: 'm', text: 'Hi', by: 'me', at: 1 }, Date.now() - 1)
  expect(await schedules.list('one')).toEqual([])
  await schedules.forget('one')
  expect(erased).toEqual(['s'])
})
