import { endless, messagesIn } from '../script.mjs'

export const name = 'pi-agent-core'
export const packages = ['@earendil-works/pi-agent-core']

export const load = async () => {
  const [core, ai, { Type }] = await Promise.all([
    import('@earendil-works/pi-agent-core'),
    import('@earendil-works/pi-ai'),
    import('typebox'),
  ])
  return { Agent: core.Agent, createStream: ai.createAssistantMessageEventStream, Type }
}

export function create({ Agent, createStream, Type }, { script, tools, hooks = [], history = 0 }) {
  const streamFn = (_model, context) => speak(script, createStream(), context.messages)
  const own = tools.map(tool => ({
    name: tool.name,
    label: tool.name,
    description: tool.name,
    // Always checked, and by TypeBox, which stands for zod there.
    parameters: Type.Object({ n: Type.Number() }),
    execute: async (_id, args) => ({ content: [{ type: 'text', text: String(await tool.run(args)) }], details: {} }),
  }))

  return {
    send({ onText } = {}) {
      const agent = new Agent({ streamFn, initialState: { tools: own, messages: past(history) } })
      for (const hook of hooks)
        agent.subscribe(event => (event.type === 'tool_execution_start' ? hook(event) : undefined))
      if (onText) agent.subscribe(event => hear(event, onText))
      const done = agent.prompt('go').then(() => ({ text: lastText(agent.state.messages) }))
      return { done, interrupt: () => agent.abort() }
    },
  }
}

function hear(event, onText) {
  const news = event.type === 'message_update' ? event.assistantMessageEvent : undefined
  if (news?.type === 'text_delta') onText(news.delta)
}

/** Pushes the whole finite part at once: the cheapest that the event stream allows. */
function speak(script, stream, messages) {
  const reply = script.reply(
    messagesIn(
      script,
      messages.filter(message => message.role !== 'system'),
    ),
  )
  const text = { type: 'text', text: '' }
  const message = { ...EMPTY, content: [], timestamp: Date.now() }
  stream.push({ type: 'start', partial: message })
  if (reply.batches) {
    message.content.push(text)
    stream.push({ type: 'text_start', contentIndex: 0, partial: message })
    for (const batch of reply.batches) for (const delta of batch) pushText(stream, message, text, delta)
  }
  if (reply.wait || reply.ending) void later(script, reply, stream, message, text)
  else finish(script, reply, stream, message)
  return stream
}

async function later(script, reply, stream, message, text) {
  await reply.wait
  for await (const delta of endless(reply, script)) pushText(stream, message, text, delta)
  finish(script, reply, stream, message)
}

function pushText(stream, message, text, delta) {
  text.text += delta
  stream.push({ type: 'text_delta', contentIndex: 0, delta, partial: message })
}

function finish(script, reply, stream, message) {
  for (const { id, name, args } of reply.calls ?? []) {
    const toolCall = { type: 'toolCall', id, name, arguments: args }
    message.content.push(toolCall)
    stream.push({ type: 'toolcall_end', contentIndex: message.content.length - 1, toolCall, partial: message })
  }
  script.ended()
  const reason = reply.calls ? 'toolUse' : 'stop'
  stream.push({ type: 'done', reason, message: { ...message, stopReason: reason } })
}

const lastText = messages =>
  messages
    .filter(message => message.role === 'assistant')
    .flatMap(message => message.content)
    .filter(part => part.type === 'text')
    .map(part => part.text)
    .join('')

const past = count =>
  Array.from({ length: count }, (_, i) =>
    i % 2
      ? { ...EMPTY, content: [{ type: 'text', text: `message ${i}` }], stopReason: 'stop', timestamp: 0 }
      : { role: 'user', content: `message ${i}`, timestamp: 0 },
  )

const EMPTY = {
  role: 'assistant',
  api: 'scripted',
  provider: 'scripted',
  model: 'scripted',
  stopReason: 'stop',
  usage: {
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 0,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  },
}
