import { token } from './run-cluster.mjs'

/** What a client hears of a conversation, from a number on. Ends when the server does; throws where it refuses. */
export async function* eventsOf(url, id, after, signal) {
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${url}/api/conversations/${id}/events?after=${after}`, { headers, signal })
  if (!response.ok) throw new Error(String(response.status))
  let rest = ''
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const frames = `${rest}${chunk}`.split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) {
      const data = /^data: ?(.*)$/m.exec(frame)?.[1]
      if (data) yield JSON.parse(data)
    }
  }
}
