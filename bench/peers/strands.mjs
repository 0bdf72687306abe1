import { endless, messagesIn } from '../script.mjs'

export const name = 'strands'
export const packages = ['@strands-agents/sdk']

export const load = () => import('@strands-agents/sdk')

export function create(library, { script, tools, hooks = [], history = 0 }) {
  const { Agent, BeforeToolCallEvent, NullConversationManager, tool } = library
  const model = scripted(library, script)
  const own = tools.map(each =>
    tool({
      name: each.name,
      description: each.name,
      inputSchema: each.input ?? { type: 'object', properties: { n: { type: 'number' } } },
      callback: input => each.run(input),
    }),
  )

  return {
    send({ onText } = {}) {
      const agent = new Agent({
        model,
        tools: own,
        messages: past(history),
        printer: false,
        conversationManager: new NullConversationManager(),
        retryStrategy: null,
        sandbox: false,
      })
      for (const hook of hooks) agent.addHook(BeforeToolCallEvent, hook)
      return { done: read(agent, onText), interrupt: () => agent.cancel() }
    },
  }
}

async function read(agent, onText) {
  if (!onText) return { text: String(await agent.invoke('go')) }
  for await (const event of agent.stream('go')) {
    const delta = event.type === 'modelStreamUpdateEvent' ? event.event.delta : undefined
    if (delta?.type === 'textDelta') onText(delta.text)
  }
  return { text: saidIn(agent.messages) }
}

const saidIn = messages =>
  messages
    .filter(message => message.role === 'assistant')
    .flatMap(message => message.content)
    .map(block => block.text ?? '')
    .join('')

function scripted({ Model }, script) {
  return new (class extends Model {
    updateConfig() {}
    getConfig() {
      return { modelId: 'scripted', contextWindowLimit: 1_000_000 }
    }
    async *stream(messages) {
      const reply = script.reply(messagesIn(script, messages))
      await reply.wait
      yield { type: 'modelMessageStartEvent', role: 'assistant' }
      if (reply.batches || reply.ending) yield* text(reply, script)
      for (const asked of reply.calls ?? []) yield* toolUse(asked)
      script.ended()
      yield { type: 'modelMessageStopEvent', stopReason: reply.calls ? 'toolUse' : 'endTurn' }
    }
  })()
}

async function* text(reply, script) {
  yield { type: 'modelContentBlockStartEvent' }
  for (const batch of reply.batches ?? []) for (const delta of batch) yield textDelta(delta)
  if (reply.ending) for await (const delta of endless(reply, script)) yield textDelta(delta)
  yield { type: 'modelContentBlockStopEvent' }
}

const textDelta = delta => ({ type: 'modelContentBlockDeltaEvent', delta: { type: 'textDelta', text: delta } })

function* toolUse({ id, name, args }) {
  yield { type: 'modelContentBlockStartEvent', start: { type: 'toolUseStart', name, toolUseId: id } }
  yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'toolUseInputDelta', input: JSON.stringify(args) } }
  yield { type: 'modelContentBlockStopEvent' }
}

const past = count =>
  Array.from({ length: count }, (_, i) => ({ role: i % 2 ? 'assistant' : 'user', content: [{ text: `message ${i}` }] }))
