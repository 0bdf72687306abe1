import { createAgent, type Message, type ResultPart, type Turn, tool } from 'turnbuckle'
import { type ApprovalOptions, approval } from 'turnbuckle/middleware'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'

export const results = (messages: readonly Message[]): ResultPart[] =>
  messages.flatMap(({ content }) => content.filter(part => part.type === 'result')) as ResultPart[]

/** A turn that waits for a person. */
export async function waiting(options: ApprovalOptions) {
  const clock = virtualClock()
  const model = scriptedModel([{ calls: [{ name: 'send' }] }, 'done'])
  const agent = createAgent({
    model,
    tools: [tool({ name: 'send', run: () => 'sent' })],
    use: [approval(options)],
    clock,
  })
  const chat = agent.conversation()
  const turn: Turn = chat.send('?')
  await clock.advance(0)
  const request = () => chat.requests[0] as (typeof chat.requests)[number]
  return { clock, chat, turn, request, status: async () => results((await turn).messages)[0]?.status }
}
