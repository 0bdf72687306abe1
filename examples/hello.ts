// A question, and the answer as it comes. `offline()` needs no key; put your own model there.
import { createAgent, offline } from 'turnbuckle'

const agent = createAgent({ model: offline(), instructions: 'Be brief.' })

const turn = agent.send('Hello, who are you?')
let text = ''
for await (const piece of turn.text) text += piece
console.log(text)

const { status, steps } = await turn
console.log(`${status} after ${steps} step`)
