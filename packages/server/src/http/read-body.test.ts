import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { readBody, readBytes } from './read-body.ts'

/** Gives a request to a reader of bodies, inside an app as the server's. */
async function reading<Read>(
  read: (c: never) => Promise<Read>,
  body: string | Uint8Array<ArrayBuffer> | null,
  headers: Record<string, string> = {},
) {
  let result: Read | undefined
  let error: unknown
  const app = new Hono().post('/', async c => {
    try {
      result = await read(c as never)
    } catch (thrown) {
      error = thrown
    }
    return c.body(null)
  })
  await app.request('/', { method: 'POST', body, headers })
  return { result, error }
}

test('no body counts as an empty object', async () => {
  expect((await reading(readBody, null)).result).toEqual({})
})

test('a body is read as JSON, and one that is none is refused with what is wrong', async () => {
  expect((await reading(readBody, '{"text":"Hi"}')).result).toEqual({ text: 'Hi' })
  expect((await reading(readBody, '{"text":')).error).toMatchObject({ code: 'body.invalid' })
})

test.each([
  ['image/png', 'image/png'],
  ['text/plain; charset=utf-8', 'text/plain'],
  ['nonsense', 'application/octet-stream'],
  ['', 'application/octet-stream'],
])('bytes that are sent as "%s" are kept as %s', async (sent, mediaType) => {
  const { result } = await reading(readBytes, new Uint8Array([1, 2, 3]), { 'content-type': sent })
  expect(result).toEqual({ bytes: new Uint8Array([1, 2, 3]), mediaType })
})
