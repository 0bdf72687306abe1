import { given, texts } from './played.mjs'
import { serveReplies } from './serve-replies.mjs'

/** Plays a recording with an agent: what it makes of each reply, and what it sends next. */
export async function playOurs(
  { createAgent, middleware, tool, aiSdk },
  recording,
  { own, run, functions, providerOptions },
) {
  const { bodies, fetch } = serveReplies(recording)
  const model = aiSdk(recording.model(fetch), {
    providerTools: Object.fromEntries(own.map(each => [each.name, each.tool])),
    params: { providerOptions, toolChoice: 'auto' },
  })
  const tools = [
    ...functions.map(name => tool({ name, run: () => given })),
    ...run.map(({ name, tool: provider, result }) => tool({ name, provider, run: () => result })),
  ]
  const reasons = new Map()
  const notes = middleware({
    name: 'notes',
    afterModel: ({ draft: { reply, finishReason } }) => void reasons.set(reply?.id, finishReason),
  })
  const chat = createAgent({ model, tools, use: [notes] }).conversation()
  const replies = []
  for (const text of texts) {
    const turn = chat.send(text)
    const used = new Map()
    for await (const event of turn) {
      if (event.type === 'usage') used.set(event.messageId, event)
      if (event.type === 'request.opened') void turn.answer(event.requestId, { decision: 'allow', scope: 'once' })
    }
    const { status, messages } = await turn.settled
    const spoken = messages.filter(({ role }) => role === 'assistant')
    replies.push(
      ...spoken.map(({ id, content }) => ({
        parts: content.flatMap(partsOf),
        usage: usageOf(used.get(id)),
        finishReason: reasons.get(id),
      })),
    )
    if (status === 'failed') return { bodies, replies, failed: true }
  }
  return { bodies, replies, failed: false }
}

const usageOf = ({ inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = {}) => ({
  inputTokens,
  outputTokens,
  cachedInputTokens,
  reasoningTokens,
})

/** A question of the provider is a part of its own on the other side. */
const partsOf = ({ approval, ...part }) => (approval === undefined ? [part] : [part, { type: 'tool-approval-request' }])
