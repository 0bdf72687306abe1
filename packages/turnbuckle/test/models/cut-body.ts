/** As when the connection is lost, as if that were all, or nothing more and no end. */
export type Ending = 'lost' | 'closed' | 'still'

/** A fetch whose answers end after so many bytes. */
export function cutBody(fetch: typeof globalThis.fetch, at: (body: string) => number, ending: Ending): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    const bytes = new TextEncoder().encode(await response.text())
    return new Response(cutStream(bytes, at(new TextDecoder().decode(bytes)), ending), response)
  }
}

export function cutStream(bytes: Uint8Array, at: number, ending: Ending): ReadableStream<Uint8Array> {
  let sent = false
  return new ReadableStream({
    pull(controller) {
      if (!sent) controller.enqueue(bytes.slice(0, at))
      else if (ending === 'lost') controller.error(new TypeError('terminated'))
      else if (ending === 'closed') controller.close()
      else return new Promise(() => {})
      sent = true
    },
  })
}
