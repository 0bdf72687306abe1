import { endless, messagesIn } from '../script.mjs'

export const name = 'langchain'
export const packages = ['langchain', '@langchain/core']

export const load = async () => {
  const [langchain, { BaseChatModel }, { ChatGenerationChunk }] = await Promise.all([
    import('langchain'),
    import('@langchain/core/language_models/chat_models'),
    import('@langchain/core/outputs'),
  ])
  return { ...langchain, BaseChatModel, ChatGenerationChunk }
}

/** `invoke` where no text is read (the cheaper path), `stream` where it is. */
export function create(library, { script, tools, hooks = [], history = 0 }) {
  const { createAgent, createMiddleware, tool } = library
  const agent = createAgent({
    model: scripted(library, script),
    tools: tools.map(each =>
      tool(args => each.run(args), {
        name: each.name,
        description: each.name,
        schema: each.input ?? { type: 'object', properties: { n: { type: 'number' } } },
      }),
    ),
    middleware: hooks.map((hook, i) => createMiddleware({ name: `hook-${i}`, wrapToolCall: around(hook) })),
  })

  return {
    send({ onText } = {}) {
      const controller = new AbortController()
      const input = { messages: [...past(library, history), { role: 'user', content: 'go' }] }
      const options = { recursionLimit: 100_000, signal: controller.signal }
      const done = onText
        ? read(agent, input, options, onText)
        : agent.invoke(input, options).then(state => ({ text: state.messages.at(-1).text }))
      return { done, interrupt: () => controller.abort() }
    },
  }
}

/** It has no hook before a tool, only a wrap around it. */
const around = hook => (request, handler) => {
  const answer = hook(request)
  return answer ? answer.then(() => handler(request)) : handler(request)
}

/** An aborted stream throws, and there is no state to ask without a checkpointer. */
async function read(agent, input, options, onText) {
  let text = ''
  try {
    for await (const [mode, news] of await agent.stream(input, { ...options, streamMode: ['messages', 'values'] })) {
      if (mode === 'messages') heard(news[0], onText)
      else text = news.messages.at(-1).text
    }
  } catch (error) {
    if (!options.signal.aborted) throw error
  }
  return { text }
}

function heard(message, onText) {
  if (message.type === 'ai' && message.text) onText(message.text)
}

function scripted({ BaseChatModel, AIMessage, AIMessageChunk, ChatGenerationChunk }, script) {
  return new (class extends BaseChatModel {
    _llmType() {
      return 'scripted'
    }
    bindTools() {
      return this
    }
    async _generate(messages) {
      const reply = script.reply(messagesIn(script, messages))
      await reply.wait
      const text = (reply.batches ?? []).flat().join('')
      script.ended()
      return { generations: [{ text, message: new AIMessage({ content: text, tool_calls: toolCalls(reply) }) }] }
    }
    async *_streamResponseChunks(messages, _options, run) {
      const reply = script.reply(messagesIn(script, messages))
      await reply.wait
      const chunk = (text, rest) =>
        new ChatGenerationChunk({ text, message: new AIMessageChunk({ content: text, ...rest }) })
      for (const batch of reply.batches ?? []) {
        for (const text of batch) yield await spoken(chunk(text), run)
      }
      if (reply.ending) for await (const text of endless(reply, script)) yield await spoken(chunk(text), run)
      script.ended()
      yield chunk('', { tool_call_chunks: toolCallChunks(reply) })
    }
  })({})
}

async function spoken(chunk, run) {
  await run?.handleLLMNewToken(chunk.text, undefined, undefined, undefined, undefined, { chunk })
  return chunk
}

const toolCalls = reply => (reply.calls ?? []).map(({ id, name, args }) => ({ id, name, args, type: 'tool_call' }))

const toolCallChunks = reply =>
  (reply.calls ?? []).map(({ id, name, args }, index) => ({
    id,
    name,
    args: JSON.stringify(args),
    index,
    type: 'tool_call_chunk',
  }))

const past = ({ AIMessage, HumanMessage }, count) =>
  Array.from({ length: count }, (_, i) => new (i % 2 ? AIMessage : HumanMessage)(`message ${i}`))
