import { type Chunk, createAgent, type Event, type Model, tool } from 'turnbuckle'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const add = tool({ name: 'add', run: ({ a, b }: { a: number; b: number }) => a + b })
const calling = (text: string, id = 'c1', name = 'add'): Chunk => ({ type: 'calling', id, name, text })
const call = (args: unknown, id = 'c1'): Chunk => ({ type: 'call', id, name: 'add', args })
const pieces = [calling(''), calling('{"a":1,'), calling('"b":2}'), call('{"a":1,"b":2}')]
async function eventsOf(turn: AsyncIterable<Event>): Promise<Event[]> {
  const events: Event[] = []
  for await (const event of turn) events.push(event)
  return events
}
const deltas = (events: readonly Event[]) =>
  events.flatMap(event =>
    event.type === 'tool.delta' || event.type === 'tool.text' ? [[event.callId, event.offset, event.text]] : [],
  )
const look = tool({ name: 'look', run: () => 'seen' })
const looks = () => scriptedModel([{ text: 'Looking.', calls: [{ name: 'look', id: 'c1' }] }, 'Done'])

test('who comes late is told in one piece what is written so far', async () => {
  let goOn = () => {}
  const waits = new Promise<void>(resolve => {
    goOn = resolve
  })
  let half = () => {}
  const halfWay = new Promise<void>(resolve => {
    half = resolve
  })
  const model: Model = {
    id: 'slow',
    async *stream({ messages }) {
      if (messages.length > 1) return yield { type: 'text', text: 'Three.' }
      yield* pieces.slice(0, 2)
      half()
      await waits
      yield* pieces.slice(2)
    },
  }
  const turn = createAgent({ model, tools: [add] }).send('add')
  await halfWay
  const late = eventsOf(turn)
  goOn()
  expect(deltas(await late)).toEqual([
    ['c1', 0, '{"a":1,'],
    ['c1', 7, '"b":2}'],
  ])
})

describe('readers', () => {
  test('one that stops early leaves nothing behind', async () => {
    const chat = createAgent({ model: looks(), tools: [look] }).conversation()
    const turn = chat.send('Go')
    for await (const event of turn) if (event.type === 'message.added') break
    for await (const _text of turn.text) break
    expect((await turn).status).toBe('completed')
  })

  test('a listener that throws is told nothing more, and that is told to the others', async () => {
    const chat = createAgent({ model: scriptedModel(['Hi', 'Ho']) }).conversation()
    let told = 0
    const others: Event[] = []
    chat.subscribe(() => {
      told++
      throw new Error('my screen is broken')
    })
    const off = chat.subscribe({ event: event => others.push(event), delta: () => {} })
    expect((await chat.send('Go')).status).toBe('completed')
    expect(told).toBe(1)
    expect(others.find(({ type }) => type === 'hook.failed')).toMatchObject({
      name: 'listener',
      error: 'my screen is broken',
    })
    expect(others.map(({ seq }) => seq)).toEqual(others.map((_, i) => i + 1))
    off()
    const before = others.length
    await chat.send('More')
    expect(others).toHaveLength(before)
  })
})

describe('turns', () => {
  test('events are replayed from the first for any number of readers, and never throw', async () => {
    const turn = createAgent({ model: scriptedModel([{ text: 'Hm', error: new Error('cut') }]) }).send('Go')
    const read = async () => {
      const types: string[] = []
      for await (const { type } of turn) if (type !== 'message.delta') types.push(type)
      return types
    }
    const [first, second] = await Promise.all([read(), read()])
    await turn.settled
    expect(await read()).toEqual(first)
    expect(second).toEqual(first)
    expect(first.at(0)).toBe('turn.started')
    expect(first.at(-1)).toBe('turn.failed')
  })

  test('who comes in the middle of a reply gets the text so far in one piece, then deltas', async () => {
    const clock = virtualClock()
    const model: Model = {
      id: 'slow',
      async *stream() {
        for (const text of ['One', ' two', ' three']) {
          yield { type: 'text', text }
          await new Promise<void>(resolve => clock.after(10, resolve))
        }
      },
    }
    const turn = createAgent({ model, clock }).send('Go')
    await clock.advance(10)
    const pieces: unknown[] = []
    const reading = (async () => {
      for await (const event of turn)
        if (event.type === 'message.text' || event.type === 'message.delta')
          pieces.push([event.type, event.text, event.offset])
    })()
    await clock.advance(20)
    await reading
    expect(pieces).toEqual([
      ['message.text', 'One two', 0],
      ['message.delta', ' three', 7],
    ])
  })
})
