import { endless, messagesIn } from '../script.mjs'

export const name = '@openai/agents'
export const packages = ['@openai/agents']

export const load = () => import('@openai/agents')

export function create({ Agent, Runner, Usage, tool }, { script, tools, hooks = [], history = 0 }) {
  const usage = new Usage()
  const agent = new Agent({
    name: 'bench',
    model: scripted(script, usage),
    tools: tools.map(each =>
      tool({
        name: each.name,
        description: each.name,
        ...(each.input ? { parameters: each.input } : loose),
        execute: args => each.run(args),
      }),
    ),
  })
  for (const hook of hooks) agent.on('agent_tool_start', (_context, _tool, details) => hook(details.toolCall))
  const runner = new Runner({ tracingDisabled: true })

  return {
    send({ onText } = {}) {
      const controller = new AbortController()
      const input = [...past(history), { role: 'user', content: 'go' }]
      const options = { maxTurns: null, signal: controller.signal }
      const done = onText
        ? read(runner.run(agent, input, { ...options, stream: true }), onText)
        : runner.run(agent, input, options).then(result => ({ text: result.finalOutput }))
      return { done, interrupt: () => controller.abort() }
    },
  }
}

async function read(running, onText) {
  const result = await running
  for await (const event of result) {
    if (event.type === 'raw_model_stream_event' && event.data.type === 'output_text_delta') onText(event.data.delta)
  }
  // After an abort the events end at once, `completed` only when the model and the tools have; the events are taken.
  if (!result.cancelled) await result.completed
  return { text: JSON.stringify(result.history) }
}

/** Its own way to say that arguments are not checked. */
const loose = {
  strict: false,
  parameters: { type: 'object', properties: { n: { type: 'number' } }, required: [], additionalProperties: true },
}

function scripted(script, usage) {
  return {
    async getResponse({ input }) {
      const reply = script.reply(messagesIn(script, input))
      await reply.wait
      script.ended()
      return { usage, output: output(reply, (reply.batches ?? []).flat().join('')), responseId: 'scripted' }
    },
    async *getStreamedResponse({ input }) {
      const reply = script.reply(messagesIn(script, input))
      await reply.wait
      let text = ''
      yield { type: 'response_started' }
      for (const batch of reply.batches ?? []) {
        for (const delta of batch) {
          text += delta
          yield { type: 'output_text_delta', delta }
        }
      }
      if (reply.ending) for await (const delta of endless(reply, script)) yield { type: 'output_text_delta', delta }
      script.ended()
      const spent = { inputTokens: 0, outputTokens: 0, totalTokens: 0 }
      yield { type: 'response_done', response: { id: 'scripted', usage: spent, output: output(reply, text) } }
    },
  }
}

function output(reply, text) {
  const items = []
  if (text) {
    items.push({
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text }],
    })
  }
  for (const { id, name, args } of reply.calls ?? []) {
    items.push({ type: 'function_call', callId: id, name, status: 'completed', arguments: JSON.stringify(args) })
  }
  return items
}

const past = count =>
  Array.from({ length: count }, (_, i) =>
    i % 2
      ? { role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: `message ${i}` }] }
      : { role: 'user', content: `message ${i}` },
  )
