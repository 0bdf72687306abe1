// A turn can be ended at any time: the history stays valid, and the conversation goes on.
import { createAgent, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'

const slow = tool({ name: 'slow', run: () => new Promise(() => {}) })
const agent = createAgent({
  model: scriptedModel([{ text: 'Let me look.', calls: [{ name: 'slow' }] }, 'Then I answer without it.']),
  tools: [slow],
})
const chat = agent.conversation()

const turn = chat.send('Look it up.')
for await (const event of turn) if (event.type === 'tool.executing') turn.interrupt('too slow')
const { status, reason } = await turn
console.log(`${status}: ${reason}`)

const { text } = await chat.send('Never mind.')
console.log(text)
for (const { role, content } of chat.messages)
  console.log(role, content.map(part => ('status' in part ? part.status : part.type)).join(', '))
