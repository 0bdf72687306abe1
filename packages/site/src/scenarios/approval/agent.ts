import { createAgent, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import approval from './hook.ts'

const pay = tool<{ to: string; euros: number }>({
  name: 'pay',
  run: ({ to, euros }) => `${euros} euros are on their way to ${to}.`,
})
const model = scriptedModel([
  {
    text: 'Two bills are due.',
    calls: [
      { name: 'pay', args: { to: 'the sailmaker', euros: 40 } },
      { name: 'pay', args: { to: 'the shipyard', euros: 900 } },
    ],
  },
  ({ messages }) =>
    /blocked|denied/.test(JSON.stringify(messages.at(-1)))
      ? 'The sailmaker is paid. The shipyard has to wait.'
      : 'Both bills are paid.',
])

export const message = 'Pay what is due.'
export default createAgent({ model, tools: [pay], use: [approval] })
