// Try a new rule on yesterday's conversations before it ships. Nothing is called, nothing is written.
import { block, createAgent, middleware, tool } from 'turnbuckle'
import { memoryStore, replay } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'

const send = tool<{ to: string }>({
  name: 'send',
  run({ to }) {
    console.log(`sending to ${to}`)
    return 'sent'
  },
})
const model = scriptedModel([{ calls: [{ name: 'send', args: { to: 'everyone' }, id: 'mail' }] }, 'It is sent.'])
const chat = createAgent({ model, tools: [send], store: memoryStore() }).conversation('mail')
const turn = chat.send('Tell them.')
await turn

const narrow = middleware({
  name: 'narrow',
  guard: true,
  beforeTool: ({ call }) => ((call.args as { to: string }).to === 'everyone' ? block('too many people') : undefined),
})
for (const use of [[], [narrow]]) {
  const { outcome, differences } = await replay(chat, turn, { use })
  const [first] = differences
  console.log(outcome, first ? `${first.directive} by ${first.by} at ${first.at}: ${first.reason}` : '')
}
