import { endless, messagesIn } from '../script.mjs'

export const name = 'ai (AI SDK)'
export const packages = ['ai']

export const load = () => import('ai')

/** `generate` where no text is read (the cheaper path), `stream` where it is. */
export function create(library, { script, tools, hooks = [], history = 0, interruptible }) {
  const { ToolLoopAgent, isLoopFinished, jsonSchema, toUIMessageStream, tool } = library
  const agent = new ToolLoopAgent({
    model: scripted(script),
    stopWhen: isLoopFinished(),
    maxRetries: 0,
    tools: Object.fromEntries(
      tools.map(each => [
        each.name,
        tool({
          inputSchema: each.input ?? jsonSchema({ type: 'object', properties: { n: { type: 'number' } } }),
          execute: args => each.run(args),
        }),
      ]),
    ),
    ...(hooks.length > 0 && { onToolExecutionStart: inTurn(hooks) }),
  })

  return {
    send({ onText } = {}) {
      const controller = new AbortController()
      const options = { messages: [...past(history), { role: 'user', content: 'go' }], abortSignal: controller.signal }
      if (!onText) return { done: agent.generate(options), interrupt: () => controller.abort() }
      const done = interruptible ? keep(agent, options, onText, toUIMessageStream) : read(agent, options, onText)
      return { done, interrupt: () => controller.abort() }
    },
  }
}

/** The agent takes one callback, so several hooks are called from it one by one, as its users do. */
const inTurn = hooks => async event => {
  for (const hook of hooks) {
    const answer = hook(event)
    if (answer) await answer
  }
}

async function read(agent, options, onText) {
  const result = await agent.stream(options)
  let text = ''
  for await (const delta of result.textStream) {
    text += delta
    onText(delta)
  }
  return { text }
}

/** Its results reject after an abort; what it keeps then is the message that the UI stream hands to `onEnd`. */
async function keep(agent, options, onText, toUIMessageStream) {
  const { stream } = await agent.stream(options)
  let parts = []
  const onEnd = ({ responseMessage }) => {
    parts = responseMessage.parts
  }
  for await (const part of toUIMessageStream({ stream, onEnd })) if (part.type === 'text-delta') onText(part.delta)
  return { text: parts.map(part => part.text ?? '').join('') }
}

const NO_USAGE = { inputTokens: { total: 0 }, outputTokens: { total: 0 } }

export function scripted(script) {
  return {
    specificationVersion: 'v4',
    provider: 'scripted',
    modelId: 'scripted',
    supportedUrls: {},
    async doGenerate({ prompt }) {
      const reply = script.reply(messagesIn(script, prompt))
      await reply.wait
      const text = (reply.batches ?? []).flat().join('')
      const content = text ? [{ type: 'text', text }] : []
      for (const asked of reply.calls ?? []) content.push(toolCall(asked))
      script.ended()
      return { content, finishReason: finishReason(reply), usage: NO_USAGE, warnings: [] }
    },
    async doStream({ prompt }) {
      const reply = script.reply(messagesIn(script, prompt))
      await reply.wait
      return { stream: ReadableStream.from(parts(reply, script)) }
    },
  }
}

async function* parts(reply, script) {
  yield { type: 'stream-start', warnings: [] }
  if (reply.batches) {
    yield { type: 'text-start', id: 't' }
    for (const batch of reply.batches) for (const delta of batch) yield { type: 'text-delta', id: 't', delta }
  }
  if (reply.ending) for await (const delta of endless(reply, script)) yield { type: 'text-delta', id: 't', delta }
  if (reply.batches) yield { type: 'text-end', id: 't' }
  for (const asked of reply.calls ?? []) yield toolCall(asked)
  script.ended()
  yield { type: 'finish', finishReason: finishReason(reply), usage: NO_USAGE }
}

const toolCall = ({ id, name, args }) => ({
  type: 'tool-call',
  toolCallId: id,
  toolName: name,
  input: JSON.stringify(args),
})

const finishReason = reply => ({ unified: reply.calls ? 'tool-calls' : 'stop', raw: undefined })

const past = count =>
  Array.from({ length: count }, (_, i) => ({ role: i % 2 ? 'assistant' : 'user', content: `message ${i}` }))
