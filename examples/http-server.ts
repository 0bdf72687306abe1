// An agent behind HTTP: conversations, turns, live events, questions to people. Any client may speak to it.
import { createServer } from '@turnbuckle/server'
import { createAgent } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'

const agent = createAgent({ model: scriptedModel(['Hello from the server.']) })
const server = await createServer({ agent })

const call = async (method: string, path: string, body?: object) => {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  console.log(`${method} ${path.replace(/conv_[\w-]+/, ':id')} ${response.status}`)
  return response
}

const { id } = (await (await call('POST', '/api/conversations', {})).json()) as { id: string }
await call('POST', `/api/conversations/${id}/turns`, { text: 'Hello?' })

// Server-sent events, from the first; a client that was away goes on with ?after=SEQ.
const events = await call('GET', `/api/conversations/${id}/events?after=0`)
let stream = ''
for await (const bytes of events.body ?? []) {
  stream += new TextDecoder().decode(bytes)
  if (stream.includes('turn.completed')) break
}
console.log(/Hello from the server\./.exec(stream)?.[0])
await server.close()
