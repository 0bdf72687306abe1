// A route of Hono, for `useChat` of the AI SDK; a call that needs a person's yes waits for the next request.
import { Hono } from 'hono'
import { createAgent, type Turn, tool } from 'turnbuckle'
import { fromUIMessage, type SentUIMessage, toUIMessageStreamResponse } from 'turnbuckle/ai-sdk'
import { scriptedModel } from 'turnbuckle/testing'

const pay = tool({ name: 'pay', needsApproval: true, run: () => 'paid' })
const model = scriptedModel([{ text: 'May I?', calls: [{ name: 'pay', args: { euros: 5 } }] }, 'It is paid.'])
const agent = createAgent({ model, tools: [pay] })
const waiting = new Map<string, Turn>()

const app = new Hono().post('/api/chat', async c => {
  const { id, messages } = await c.req.json<{ id: string; messages: SentUIMessage[] }>()
  const last = messages.at(-1)
  const turn = last?.role === 'assistant' ? waiting.get(id) : agent.send(fromUIMessage(last ?? { parts: [] }))
  if (!turn) return c.json({ error: 'Nothing waits.' }, 404)
  waiting.set(id, turn)
  // Decisions in the last message are the turn's answers; the stream goes on behind them.
  return toUIMessageStreamResponse(turn, { messages })
})

const ask = async (message: object): Promise<string> => {
  const body = JSON.stringify({ id: 'chat-1', messages: [message] })
  return (await app.request('/api/chat', { method: 'POST', body })).text()
}
const asked = await ask({ id: 'u', role: 'user', parts: [{ type: 'text', text: 'Pay 5 euros.' }] })
const approvalId = /"approvalId":"(.*?)"/.exec(asked)?.[1]
console.log(approvalId ? 'waits for a yes' : 'does not wait')
const part = { type: 'tool-pay', state: 'approval-responded', approval: { id: approvalId, approved: true } }
const rest = await ask({ id: waiting.get('chat-1')?.id, role: 'assistant', parts: [part] })
console.log(/"output":"(.*?)"/.exec(rest)?.[1], /"delta":"(.*?)"/.exec(rest)?.[1])
