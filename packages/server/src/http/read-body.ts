import type { Context } from 'hono'
import { parseJson } from './parse-json.ts'

/** Bytes that a body or a frame may have; nothing larger is read. */
export const maxBytes: number = 1024 * 1024

/** The JSON body of a call. No body counts as an empty object. */
export async function readBody(c: Context): Promise<unknown> {
  const text = await c.req.text()
  return text === '' ? {} : parseJson(text)
}
