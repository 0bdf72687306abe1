import { expect, test } from 'vitest'

const { within } = (await import(new URL('./within.mjs', import.meta.url).href)) as {
  within<Value>(seconds: number, what: string, promise: Promise<Value>): Promise<Value>
}

test('what is done in time is given, also as a failure', async () => {
  expect(await within(60, 'The start', Promise.resolve('up'))).toBe('up')
  await expect(within(60, 'The start', Promise.reject(new Error('No port.')))).rejects.toThrow('No port.')
})

test('what takes longer fails with its name', async () => {
  await expect(within(0.001, 'The start', new Promise(() => {}))).rejects.toThrow('The start: not done within 0.001 s.')
})
