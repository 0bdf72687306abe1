// A conversation is a tree: ask again from the same place, and go on with the better answer.
import { createAgent } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'

const agent = createAgent({ model: scriptedModel(['Ready.', 'Roses are red.', 'Hereinafter: the colour.']) })
const chat = agent.conversation()
await chat.send('Say when you are ready.')

const answers = []
for (const role of ['poet', 'lawyer']) {
  const branch = chat.fork()
  const { text } = await branch.send(`Answer like a ${role}.`)
  answers.push({ branch, text })
}
console.log(answers.map(({ text }) => text).join(' | '))

const best = answers.find(({ text }) => text.includes('Roses'))
chat.checkout(best?.branch.head ?? '')
console.log(`${chat.messages.length} messages here, ${chat.tree.length} in the tree`)
