import { middleware } from 'turnbuckle'
import { expect, test } from 'vitest'
import { loadHookModule } from './load-hook-module.ts'

const one = middleware({ name: 'one' })
const load = (value: unknown, options?: unknown) =>
  loadHookModule({ path: '/p/own.ts', hash: '', text: '', files: [], load: async () => ({ default: value }) }, options)

test.each([
  { what: 'a middleware', value: one },
  { what: 'a list', value: [one] },
  { what: 'a function of the options', value: (options: unknown) => (options === 1 ? one : undefined) },
  { what: 'an async function', value: async () => [one] },
])('a module may export $what', async ({ value }) => {
  expect(await load(value, 1)).toEqual([one])
})

test('anything else is refused, with how to write it', async () => {
  await expect(load({ name: 'x' })).rejects.toThrow('own.ts must export a middleware by default: export default')
  await expect(load(undefined)).rejects.toThrow('own.ts must export a middleware by default')
})

test('a function that throws is named', async () => {
  const ouch = () => {
    throw new Error('ouch')
  }
  await expect(load(ouch)).rejects.toThrow('own.ts failed when it was called: ouch')
})
