import { createAgent, type Event, type Model, textOf, tool } from 'turnbuckle'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { codeOf } from './code-of.ts'

const settle = () => new Promise<void>(resolve => setImmediate(resolve))
const deaf = tool({ name: 'deaf', run: () => new Promise(() => {}) })

describe('turns', () => {
  test('a second send on a running handle is refused; another handle runs beside', async () => {
    const clock = virtualClock()
    const model = scriptedModel(
      [
        { text: 'One', delayMs: 10 },
        { text: 'Two', delayMs: 10 },
      ],
      { clock },
    )
    const chat = createAgent({ model, clock }).conversation()
    const turn = chat.send('Go')
    expect(codeOf(() => chat.send('Too soon'))).toBe('turn.running')
    expect(codeOf(() => chat.checkout('x'))).toBe('turn.running')
    const beside = chat.fork(null).send('Beside')
    await clock.advance(10)
    expect((await turn).text).toBe('One')
    expect((await beside).text).toBe('Two')
    expect(chat.messages.map(textOf)).toEqual(['Go', 'One'])
  })

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

  test('who comes when the turn is over gets what was shown, one delta a message', async () => {
    const chunks = [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'Hello' },
    ] as const
    const turn = createAgent({ model: scriptedModel([{ chunks }]), clock: virtualClock() }).send('Go')
    const read = async () => {
      const events: Event[] = []
      for await (const event of turn) events.push(event)
      return events
    }
    const live = await read()
    expect(live.map(({ type }) => type)).toContain('message.delta')
    expect(await read()).toEqual(live)
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

  test('turn.text is what was shown, also for who comes late', async () => {
    const turn = createAgent({ model: scriptedModel([{ text: 'Hello there' }]) }).send('Go')
    await turn
    const late: string[] = []
    for await (const text of turn.text) late.push(text)
    expect(late.join('')).toBe('Hello there')
  })

  test('a deleted conversation takes no more turns', async () => {
    const chat = createAgent({ model: scriptedModel([{ calls: [{ name: 'deaf' }] }]), tools: [deaf] }).conversation()
    const turn = chat.send('Go')
    await settle()
    chat.delete()
    expect((await turn).status).toBe('interrupted')
    expect(codeOf(() => chat.send('More'))).toBe('conversation.deleted')
  })
})
