// app/api/chat/route.ts of Next.js: `useChat` of the AI SDK talks to an agent of yours. The page needs nothing but useChat().
import { createAgent } from 'turnbuckle'
import { fromUIMessage, type SentUIMessage, toUIMessageStreamResponse } from 'turnbuckle/ai-sdk'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'

const agent = createAgent({ model: scriptedModel(['Hello from Next.js.', 'Hello again.']), store: memoryStore() })

export async function POST(request: Request): Promise<Response> {
  const { id, messages } = (await request.json()) as { id: string; messages: SentUIMessage[] }
  // The agent has the history; of what the client sends, the last message is new.
  const turn = agent.conversation(id).send(fromUIMessage(messages.at(-1) ?? { parts: [] }))
  return toUIMessageStreamResponse(turn)
}

// As `useChat` asks:
for (const text of ['Hello?', 'And now?']) {
  const messages = [{ id: 'u', role: 'user', parts: [{ type: 'text', text }] }]
  const body = JSON.stringify({ id: 'chat-1', messages, trigger: 'submit-message' })
  const response = await POST(new Request('http://localhost/api/chat', { method: 'POST', body }))
  const deltas = (await response.text()).matchAll(/"type":"text-delta".*?"delta":"(.*?)"/g)
  console.log(Array.from(deltas, ([, delta]) => delta).join(''))
}
console.log(`${agent.conversation('chat-1').messages.length} messages`)
