import { expect, test } from 'vitest'
import { sendOneAtATime } from './send-one-at-a-time.ts'

test('a send waits while another is on its way; all go in their order', async () => {
  const sent: string[] = []
  let arrive: (value: string) => void = () => {}
  const first = sendOneAtATime(
    () =>
      new Promise<string>(resolve => {
        arrive = resolve
      }),
  )
  const rest = ['second', 'third'].map(text => sendOneAtATime(async () => sent.push(text)))
  await new Promise(resolve => setImmediate(resolve))
  expect(sent).toEqual([])
  arrive('first')
  expect(await first).toBe('first')
  await Promise.all(rest)
  expect(sent).toEqual(['second', 'third'])
})

test('a send that fails does not block the next', async () => {
  await expect(sendOneAtATime(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost')
  expect(await sendOneAtATime(async () => 'next')).toBe('next')
})
