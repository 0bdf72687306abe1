import { createAgent, type Event, type Turn } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

async function read(turn: Turn): Promise<Event[]> {
  const events: Event[] = []
  for await (const event of turn) events.push(event)
  return events
}
const shown = (events: readonly Event[]): string =>
  events.map(event => (event.type === 'message.delta' ? event.text : '')).join('')
const numbered = (events: readonly Event[]) => events.filter(({ seq }) => seq !== undefined)

test('a reader gets every event from the first to the terminal one', async () => {
  const events = await read(createAgent({ model: scriptedModel(['There it is.']) }).send('Go'))
  expect(events[0]?.type).toBe('turn.started')
  expect(events.at(-1)?.type).toBe('turn.completed')
  expect(numbered(events).map(({ seq }) => seq)).toEqual(numbered(events).map((_, i) => i + 1))
  expect(shown(events)).toBe('There it is.')
})

test('who comes when the turn is over gets the same events, and the text of a reply as one delta', async () => {
  const turn = createAgent({ model: scriptedModel(['There it is.']) }).send('Go')
  const live = await read(turn)
  const late = await read(turn)
  expect(numbered(late)).toEqual(numbered(live))
  expect(late.filter(({ type }) => type === 'message.delta')).toMatchObject([{ text: 'There it is.', offset: 0 }])
})
