import { createAgent, type Tool, tool } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { resultsOf } from '../../../test/support/results-of.ts'

/** The result of one call, and what the tool was told of. */
async function callOnce(made: Tool, args: unknown, name = made.name) {
  const model = scriptedModel([{ calls: [{ name, args, id: 'c1' }] }, 'Done'])
  const { messages, status } = await createAgent({ model, tools: [made] }).send('Go').settled
  const result = resultsOf(messages)[0]
  return { result, status, spec: model.prompts[0]?.tools[0] }
}

describe('results', () => {
  const png = { type: 'file', mediaType: 'image/png' }

  const large = 'A'.repeat(1_000_000)

  test.each([
    { what: 'nothing', value: undefined, gives: null },
    { what: 'a number', value: 7, gives: 7 },
    { what: 'plain data', value: { a: [1, null, true] }, gives: { a: [1, null, true] } },
    { what: 'a bigint', value: 10n, gives: '10' },
    { what: 'a date', value: { at: new Date(0) }, gives: { at: '1970-01-01T00:00:00.000Z' } },
    { what: 'a function', value: { f: () => 1, x: 1 }, gives: { x: 1 } },
    { what: 'a map', value: new Map([['a', new Map([[1, 2]])]]), gives: { a: [[1, 2]] } },
    { what: 'a set', value: new Set([1, 'b']), gives: [1, 'b'] },
    { what: 'an empty set', value: { none: new Set(), no: new Map() }, gives: { none: [], no: {} } },
    { what: 'an instance', value: new URL('http://a.b/'), gives: 'http://a.b/' },
    {
      what: 'an instance of a class',
      value: new (class Point {
        x = 1
      })(),
      gives: { x: 1 },
    },
    { what: 'no number', value: Number.NaN, gives: 'NaN' },
    { what: 'no number inside', value: { x: [Number.POSITIVE_INFINITY, undefined] }, gives: { x: [null, null] } },
    { what: 'an error inside', value: { failed: new Error('Off.') }, gives: { failed: 'Off.' } },
    { what: 'binary data', value: { file: Buffer.alloc(9) }, gives: { file: '[binary data, 9 bytes]' } },
    { what: 'much binary data', value: new ArrayBuffer(200_000_000), gives: '[binary data, 200000000 bytes]' },
    { what: 'a file', value: [1, { ...png, data: Uint8Array.of(1, 2, 3) }], gives: [1, { ...png, data: 'AQID' }] },
    { what: 'a large file', value: [{ ...png, data: large }, 'Look.'], gives: [{ ...png, data: large }, 'Look.'] },
    { what: 'something without a prototype', value: Object.assign(Object.create(null), { x: 1 }), gives: { x: 1 } },
  ])('$what becomes plain data', async ({ value, gives }) => {
    for (const run of [() => value, async () => value]) {
      const { result } = await callOnce(tool({ name: 'give', run }), {})
      expect(result).toMatchObject({ status: 'ok', value: gives })
      expect(JSON.parse(JSON.stringify(result))).toEqual(result)
    }
  })

  const ring: { self?: unknown } = {}

  test('what grows without end when it is written out is cut in bounded time', async () => {
    let vast: unknown = 'x'
    for (let i = 0; i < 60; i++) vast = [vast, vast]
    const { result } = await callOnce(tool({ name: 'give', maxResult: 1000, run: () => vast }), {})
    expect(result).toMatchObject({ status: 'ok', value: expect.stringContaining('[cut: more than 1000 characters') })
  })

  test('whatever a tool returns, the log takes it, and gives back the same', async () => {
    const odd = [1n, new Map([[1, 2]]), new Set(), new Error('Off.'), ring, () => 1, undefined, Number.NaN, new Date(0)]
    const tools = odd.map((value, i) => tool({ name: `give${i}`, run: () => value }))
    const calls = tools.map(({ name }) => ({ name }))
    const store = memoryStore()
    const chat = createAgent({ model: scriptedModel([{ calls }, 'Done']), tools, store }).conversation('odd')
    const { status, messages } = await chat.send('Go')
    expect(status).toBe('completed')
    expect(messages).toHaveLength(odd.length + 3)
    const again = createAgent({ model: scriptedModel([]), store }).conversation('odd')
    expect(again.messages).toEqual(messages)
  })

  test('maxResult cuts what is longer, and says so', async () => {
    const long = await callOnce(tool({ name: 'give', maxResult: 10, run: () => 'x'.repeat(50) }), {})
    expect(long.result?.value).toBe(`${'x'.repeat(10)}\n[cut: 50 characters, 10 are kept]`)
    const list = await callOnce(tool({ name: 'give', maxResult: 10, run: () => Array(50).fill(1) }), {})
    expect(list.result?.value).toMatch(/^\[1,1,1,1,1\n\[cut: more than 10 characters, 10 are kept\]$/)
    const huge = await callOnce(tool({ name: 'give', run: () => 'x'.repeat(1_000_000) }), {})
    expect(String(huge.result?.value).length).toBeLessThan(100_100)
  })

  test('deep data does not overflow the stack', async () => {
    let deep: unknown = 1
    for (let i = 0; i < 200; i++) deep = { deep }
    expect((await callOnce(tool({ name: 'give', run: () => deep }), {})).result?.status).toBe('ok')
  })
})
