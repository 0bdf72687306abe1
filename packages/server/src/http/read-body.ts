import type { Context } from 'hono'
import { parseJson } from '../base/parse-json.ts'
import type { SentBytes } from './contract.ts'

/** Bytes that a JSON body or a frame may have; nothing larger is read. */
export const maxBytes: number = 1024 * 1024

/** The JSON body of a call. No body counts as an empty object. */
export async function readBody(c: Context): Promise<unknown> {
  const text = await c.req.text()
  return text === '' ? {} : parseJson(text)
}

/** The body of a call that takes bytes. A media type of no known form is any file's. */
export async function readBytes(c: Context): Promise<SentBytes> {
  const given = /^[\w.+-]+\/[\w.+-]+/.exec(c.req.header('content-type') ?? '')?.[0]
  return { bytes: new Uint8Array(await c.req.arrayBuffer()), mediaType: given ?? 'application/octet-stream' }
}
