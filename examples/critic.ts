// A second opinion before anybody sees the answer as final: the critic sends it back until it is good.
import { createAgent, textOf } from 'turnbuckle'
import { critic, retry } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'

const agent = createAgent({
  model: scriptedModel([{ error: new Error('overloaded') }, 'It is warm.', 'It is 21 °C.']),
  use: [
    retry({ times: 2, baseMs: 0 }),
    critic(reply => ({ accepted: /\d/.test(textOf(reply)), advice: 'Give a number.' }), { rounds: 2 }),
  ],
})

const turn = agent.send('How warm is it?')
const { text, steps } = await turn
console.log(`${text} (${steps} steps)`)
for (const { directive, by, at, reason, won } of turn.explain()) console.log({ directive, by, at, reason, won })
