import { isStepCount, jsonSchema, streamText, tool } from 'ai'
import { given, texts } from './played.mjs'
import { serveReplies } from './serve-replies.mjs'

/** Plays a recording with `streamText`: what it makes of each reply, and what it sends next. */
export async function playAi(recording, { own, run, functions, providerOptions }) {
  const { bodies, fetch } = serveReplies(recording)
  const tools = {
    ...Object.fromEntries(
      functions.map(name => [
        name,
        tool({ description: '', inputSchema: jsonSchema({ type: 'object', properties: {} }), execute: () => given }),
      ]),
    ),
    ...Object.fromEntries(own.map(each => [each.name, each.tool])),
    ...Object.fromEntries(run.map(each => [each.name, { ...each.tool, execute: () => each.result }])),
  }
  const model = recording.model(fetch)
  const steps = []
  const failures = []
  let messages = []
  const play = async () => {
    const result = streamText({
      model,
      tools,
      messages,
      providerOptions,
      stopWhen: isStepCount(40),
      maxRetries: 0,
      onError: ({ error }) => void failures.push(error),
    })
    await result.consumeStream()
    if (failures.length) return
    steps.push(...(await result.steps))
    messages = [...messages, ...(await result.responseMessages)]
    const asked = (await result.steps).at(-1).content.filter(({ type }) => type === 'tool-approval-request')
    if (!asked.length) return
    messages.push({
      role: 'tool',
      content: asked.map(({ approvalId }) => ({ ...approved, approvalId })),
    })
    await play()
  }
  for (const text of texts) {
    if (failures.length) break
    messages.push({ role: 'user', content: text })
    await play()
  }
  return { bodies, replies: steps.map(replyOf), failed: failures.length > 0 }
}

const approved = { type: 'tool-approval-response', approved: true, providerExecuted: true }

const replyOf = ({ content, usage, finishReason }) => ({
  parts: content.flatMap(partOf),
  usage: {
    inputTokens: usage.inputTokens ?? 0,
    outputTokens: usage.outputTokens ?? 0,
    cachedInputTokens: usage.inputTokenDetails?.cacheReadTokens || undefined,
    reasoningTokens: usage.outputTokenDetails?.reasoningTokens || undefined,
  },
  finishReason,
})

/** A part of a step in the words of both sides. Results of tools that we run are compared in the next request. */
function partOf(part) {
  const { type, providerMetadata: meta } = part
  switch (type) {
    case 'text':
    case 'reasoning':
      return part.text || meta ? [{ type, text: part.text, meta }] : []
    case 'source':
      return [{ type, url: part.url, title: part.title, name: part.filename, mediaType: part.mediaType, meta }]
    case 'file':
      return [{ type, mediaType: part.file.mediaType, data: part.file.base64, meta }]
    case 'custom':
      return [{ type, kind: part.kind, meta }]
    case 'tool-call':
      return [
        {
          type: 'call',
          id: part.toolCallId,
          name: part.toolName,
          args: part.input,
          byProvider: part.providerExecuted,
          meta,
        },
      ]
    case 'tool-result':
    case 'tool-error': {
      if (!part.providerExecuted) return []
      const [status, value] = type === 'tool-error' ? ['error', part.error] : ['ok', part.output]
      return [{ type: 'result', id: part.toolCallId, name: part.toolName, status, value, meta }]
    }
    default:
      return [{ type }]
  }
}
