import { createAgent, type Event, type Middleware, type Model } from 'turnbuckle'
import { type ScriptedModel, scriptedModel } from 'turnbuckle/testing'
import { echo } from './echoing.ts'

/** Calls `echo` once. */
export const callsEcho = (): ScriptedModel => scriptedModel([{ calls: [{ name: 'echo' }] }, 'The end.'])

/** Runs one turn with the tool `echo`; what came of it. */
export async function run(use: readonly Middleware[], model: Model = callsEcho()) {
  const chat = createAgent({ model, tools: [echo], use }).conversation()
  const turn = chat.send('Go.')
  const events: Event[] = []
  for await (const event of turn) events.push(event)
  return { chat, events, result: await turn.settled, says: chat.messages.map(({ role }) => role) }
}
