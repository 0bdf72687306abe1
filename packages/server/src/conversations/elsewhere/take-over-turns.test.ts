import { afterEach, expect, test, vi } from 'vitest'
import { takeOverTurns } from './take-over-turns.ts'

afterEach(() => void vi.useRealTimers())

test('it looks at the start and then again and again, one look at a time, until it is stopped', async () => {
  vi.useFakeTimers()
  const looks: string[] = []
  let end: () => void = () => {}
  const stop = takeOverTurns(
    {
      resumeFound: async () => void looks.push('first'),
      takeOverAll() {
        looks.push('again')
        return new Promise<void>(resolve => {
          end = resolve
        })
      },
    },
    1000,
  )
  await vi.advanceTimersByTimeAsync(3000)
  expect(looks).toEqual(['first', 'again'])
  end()
  await vi.advanceTimersByTimeAsync(1000)
  expect(looks).toEqual(['first', 'again', 'again'])
  stop()
  end()
  await vi.advanceTimersByTimeAsync(5000)
  expect(looks).toHaveLength(3)
})

test('a look that fails is reported, and the next one comes', async () => {
  vi.useFakeTimers()
  const reported: unknown[] = []
  const fail = async () => {
    throw new Error('no store')
  }
  const stop = takeOverTurns({ resumeFound: fail, takeOverAll: fail }, 1000, error => reported.push(error))
  await vi.advanceTimersByTimeAsync(2000)
  expect(reported).toHaveLength(3)
  stop()
})
