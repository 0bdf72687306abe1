import { virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { TurnTime } from './turn-time.ts'

const never = () => new Promise<never>(() => {})
const interrupted = { code: 'turn.interrupted' }

test('the time is that of the last reading', async () => {
  const clock = virtualClock()
  const time = new TurnTime(clock)
  const began = time.at
  await clock.advance(50)
  expect(time.at).toBe(began)
  expect(time.tick()).toBe(began + 50)
  expect(time.at).toBe(began + 50)
})

describe('the signal', () => {
  test('is one and the same until it is aborted, then hooks get a fresh one', () => {
    const time = new TurnTime(virtualClock())
    const { signal } = time
    expect(time.signal).toBe(signal)
    time.abort('enough')
    expect([signal.aborted, signal.reason]).toEqual([true, 'enough'])
    expect(time.signal.aborted).toBe(false)
  })
})

describe('an interrupt', () => {
  test('ends every wait at once; hooks that clean up have until the deadline', async () => {
    const clock = virtualClock()
    const time = new TurnTime(clock)
    const tool = expect(time.waits.race(never())).rejects.toMatchObject(interrupted)
    time.endWaits(100)
    await tool
    const tidying = expect(time.cleanup.race(never())).rejects.toMatchObject(interrupted)
    expect(await time.cleanup.race(Promise.resolve('tidied'))).toBe('tidied')
    await clock.advance(100)
    await tidying
  })
})

describe('parking', () => {
  test('leaves every wait pending, also those of hooks that clean up and those that begin later', async () => {
    const clock = virtualClock()
    const time = new TurnTime(clock)
    const ended: string[] = []
    const note = (what: string) => () => void ended.push(what)
    time.waits.race(never()).catch(note('tool'))
    time.cleanup.race(never()).catch(note('hook'))
    time.freeze()
    time.waits.race(Promise.resolve()).then(note('later'))
    time.endWaits(100)
    await clock.advance(200)
    expect(ended).toEqual([])
  })
})

describe('when the turn is released', () => {
  test('waits that are left end, and no timer stays', async () => {
    const clock = virtualClock()
    const time = new TurnTime(clock)
    time.endWaits(1000)
    time.clock.after(500, () => {})
    const left = expect(time.waits.race(never())).rejects.toMatchObject(interrupted)
    expect(clock.timers).toBe(2)
    time.release()
    await left
    expect(clock.timers).toBe(0)
  })
})
