import { expect, test } from 'vitest'
import { sendOneAtATime } from './send-one-at-a-time.ts'

test('a second send is dropped while the first is on its way, and works after it', async () => {
  let arrive: (value: string) => void = () => {}
  const first = sendOneAtATime(
    () =>
      new Promise<string>(resolve => {
        arrive = resolve
      }),
  )
  expect(await sendOneAtATime(async () => 'second')).toBeUndefined()
  arrive('first')
  expect(await first).toBe('first')
  expect(await sendOneAtATime(async () => 'third')).toBe('third')
})

test('a send that fails does not block the next', async () => {
  await expect(sendOneAtATime(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost')
  expect(await sendOneAtATime(async () => 'next')).toBe('next')
})
