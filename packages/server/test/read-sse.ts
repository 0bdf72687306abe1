import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'

/** Reads the server-sent events of a conversation, line by line, until a line has what the test waits for. `opened`: from now on nothing is missed. */
export async function readSse(
  { url }: { readonly url: string },
  id: string,
  until: string,
  headers: Record<string, string> = {},
  opened: () => void = () => {},
): Promise<readonly string[]> {
  const response = await fetch(`${url}/api/conversations/${id}/events?after=0`, {
    headers: { authorization: 'Bearer secret', ...headers },
  })
  opened()
  const body = Readable.fromWeb(response.body as ReadableStream)
  const lines: string[] = []
  for await (const line of createInterface(body)) {
    lines.push(line)
    if (line.includes(until)) break
  }
  body.destroy()
  return lines
}

/** The numbers of its events. */
export const seqs = (lines: readonly string[]): number[] =>
  lines.flatMap(line => /^id: (\d+)$/.exec(line)?.[1] ?? []).map(Number)
