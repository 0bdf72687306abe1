// A route of Express, for `useChat` of the AI SDK.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import express from 'express'
import { createAgent } from 'turnbuckle'
import { fromUIMessage, toUIMessageStreamResponse } from 'turnbuckle/ai-sdk'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'

const agent = createAgent({ model: scriptedModel(['Hello from Express.']), store: memoryStore() })

const app = express()
app.post('/api/chat', express.json(), async (request, response) => {
  const { id, messages } = request.body
  const turn = agent.conversation(id).send(fromUIMessage(messages.at(-1)))
  const { headers, body } = toUIMessageStreamResponse(turn)
  response.setHeaders(headers)
  await pipeline(body ?? [], response)
})

const server = app.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
const messages = [{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'Hello?' }] }]
const answer = await fetch(`http://127.0.0.1:${port}/api/chat`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ id: 'chat-1', messages }),
})
console.log(/"delta":"(.*?)"/.exec(await answer.text())?.[1])
server.close()
