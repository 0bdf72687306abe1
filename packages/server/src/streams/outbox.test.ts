import type { Model } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readSse, seqs } from '../../test/read-sse.ts'
import { gate, type Served, serve } from '../../test/serve.ts'
import { isOver, type SocketClient } from '../../test/socket-client.ts'
import { Outbox, type OutboxSink, type Taken } from './outbox.ts'

const mega = 1024 * 1024
/** A reply of six megabytes, whose pieces end inside of characters that have two code units. */
const long = `a${'🦜'.repeat(3 * mega)}`

const serveLong = (): Promise<Served> => serve({ model: scriptedModel([long, 'short']) })

/** Sends a message and waits for the end of its turn. */
async function talk(client: SocketClient, conversationId: string): Promise<void> {
  const { turnId } = await client.ask({ type: 'send', conversationId, text: 'go' })
  await client.until(frame => isOver(frame) && frame.turnId === turnId)
}

/** The longest text of a message that was added. */
const replyOf = (events: readonly { type: string; message?: { content: { text: string }[] } }[]): string =>
  events
    .flatMap(({ message }) => message?.content.map(({ text }) => text) ?? [])
    .sort((a, b) => b.length - a.length)[0] ?? ''

test('a reply of six megabytes reaches a socket that reads it, and the stream goes on', async () => {
  const server = await serveLong()
  const id = await server.newConversation()
  const live = await server.follow(id)
  await talk(live, id)
  const late = await server.follow(id)
  await talk(late, id)
  await live.until(({ type, text }) => type === 'turn.completed' && text === 'short')
  for (const { events } of [live, late]) {
    expect(replyOf(events) === long).toBe(true)
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1))
  }
})

/** Says what is given in pieces, one right after the other: no reader has a moment to take one before the next comes. */
const inBurst = (pieces: readonly string[]): Model => ({
  id: 'burst',
  async *stream() {
    for (const text of pieces) yield { type: 'text', text }
    yield { type: 'finish', reason: 'stop' }
  },
})

test.each([
  ['sixty long pieces', 60, 100_000],
  ['a thousand short ones', 1000, 6000],
])(
  'a reply of six megabytes in %s, all at once, reaches those who read it, and closes nobody',
  async (_, count, length) => {
    const pieces = Array.from({ length: count }, (_, i) => `${i} `.padEnd(length, 'x'))
    const server = await serve({ model: inBurst(pieces) })
    const id = await server.newConversation()
    const reader = await server.follow(id)
    const opened = gate()
    const sse = readSse(server, id, '"type":"turn.completed"', {}, () => opened.open())
    await opened.opened
    await talk(reader, id)
    expect(replyOf(reader.events) === pieces.join('')).toBe(true)
    const numbers = reader.events.map(({ seq }) => seq)
    expect(numbers).toEqual(numbers.map((_, i) => i + 1))
    expect(seqs(await sse)).toEqual(numbers)
    expect(reader.socket.readyState).toBe(reader.socket.OPEN)
  },
)

test('a reader that fell behind while a reply grew is shown all of it, and what comes then', async () => {
  const pieces = Array.from({ length: 100 }, (_, i) => `${i} `.padEnd(20_000, 'x'))
  const said = gate()
  const model: Model = {
    id: 'burst',
    async *stream() {
      for (const text of pieces) yield { type: 'text', text }
      await said.opened
      yield { type: 'text', text: 'The end.' }
      yield { type: 'finish', reason: 'stop' }
    },
  }
  const server = await serve({ model }, { bufferLimit: 128 * 1024 })
  const id = await server.newConversation()
  const reader = await server.follow(id)
  const ended = talk(reader, id)
  await expect.poll(() => shownText(reader) === pieces.join(''), { timeout: 20_000 }).toBe(true)
  said.open()
  await ended
  expect(shownText(reader) === `${pieces.join('')}The end.`).toBe(true)
})

test('a reply of six megabytes reaches a reader of server-sent events, live and late', async () => {
  const server = await serveLong()
  const id = await server.newConversation()
  const client = await server.follow(id)
  let opened = () => {}
  const open = new Promise<void>(resolve => {
    opened = resolve
  })
  const live = readSse(server, id, '"text":"short","usage"', {}, opened)
  await open
  await talk(client, id)
  await talk(client, id)
  for (const lines of [await live, await readSse(server, id, '"text":"short","usage"')]) {
    expect(seqs(lines)).toEqual(client.events.map(({ seq }) => seq))
    expect(lines.some(line => line.includes(long))).toBe(true)
  }
})

/** The text of the reply as it was shown while it grew. */
const shownText = ({ frames }: SocketClient): string =>
  frames.reduce(
    (text, { type, text: more, offset }) =>
      type === 'message.delta' || type === 'message.text' ? text.slice(0, offset) + more : text,
    '',
  )

/** A reader that takes a piece when the test says so. */
function slowReader() {
  const given: string[] = []
  const taken: Taken[] = []
  const happened: string[] = []
  const sink: OutboxSink = {
    waiting: 0,
    give(piece, _isLast, tell) {
      given.push(piece)
      if (tell) taken.push(tell)
    },
    whenTaken: tell => taken.push(tell),
    end: () => happened.push('end'),
    cutOff: () => happened.push('cutOff'),
  }
  return { sink, given, happened, take: (error?: Error) => taken.shift()?.(error) }
}

test('what follows a long line waits until its last piece is taken, and the end comes behind it', () => {
  const { sink, given, happened, take } = slowReader()
  const outbox = new Outbox({ bytes: mega, stallMs: 30_000 }, sink)
  outbox.send('x'.repeat(30_000))
  outbox.send('next')
  outbox.end()
  expect(given.map(({ length }) => length)).toEqual([16_384])
  take()
  expect(given.map(({ length }) => length)).toEqual([16_384, 13_616])
  expect(happened).toEqual([])
  take()
  expect(given.at(-1)).toBe('next')
  expect(happened).toEqual(['end'])
})

test('eight long lines may wait, whatever their length; one more cuts the reader off', () => {
  const { sink, given, happened } = slowReader()
  const outbox = new Outbox({ bytes: mega, stallMs: 30_000 }, sink)
  for (let i = 0; i < 10; i++) outbox.send('x'.repeat(2 * mega))
  expect(happened).toEqual([])
  outbox.send('one more')
  expect(happened).toEqual(['cutOff'])
  expect(given).toHaveLength(1)
})

test('a reader that takes pieces slowly is waited for; one that takes none for thirty seconds is cut off', async () => {
  vi.useFakeTimers()
  try {
    const { sink, happened, take } = slowReader()
    const outbox = new Outbox({ bytes: mega, stallMs: 30_000 }, sink)
    outbox.send('x'.repeat(4 * 16_384))
    const paused = outbox.pace.past()
    for (let i = 0; i < 2; i++) {
      vi.advanceTimersByTime(29_000)
      take()
    }
    expect(happened).toEqual([])
    vi.advanceTimersByTime(30_000)
    expect(happened).toEqual(['cutOff'])
    // A feed that waited for the reader is let go.
    await paused
    expect(outbox.pace.past()).toBeUndefined()
  } finally {
    vi.useRealTimers()
  }
})

test('a reader that takes a little of what waits is waited for, also while more is given; then one that takes nothing is cut off', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { sink, happened } = slowReader()
  let waiting = mega
  const counted: OutboxSink = {
    ...sink,
    get waiting() {
      return waiting
    },
    give(piece) {
      waiting += piece.length
    },
  }
  const outbox = new Outbox({ bytes: 2 * mega, stallMs: 5000 }, counted)
  outbox.send('x')
  void outbox.pace.past()
  for (let i = 0; i < 4; i++) {
    vi.advanceTimersByTime(4000)
    waiting -= 1000
    outbox.send('x'.repeat(2000))
    vi.advanceTimersByTime(1000)
  }
  expect(happened).toEqual([])
  vi.advanceTimersByTime(5000)
  expect(happened).toEqual(['cutOff'])
})

test('a connection that closes while events wait for it holds up no feed: each would ask again for ever', async () => {
  const { sink, happened, take } = slowReader()
  const outbox = new Outbox({ bytes: mega, stallMs: 30_000 }, { ...sink, waiting: mega })
  const paused = outbox.pace.past()
  take(new Error('WebSocket is not open: readyState 2 (CLOSING)'))
  await paused
  expect(outbox.pace.past()).toBeUndefined()
  expect(happened).toEqual([])
})

test('a connection that closes within a long line is given no more of it', () => {
  const { sink, given, take } = slowReader()
  const outbox = new Outbox({ bytes: mega, stallMs: 30_000 }, sink)
  outbox.send('x'.repeat(200_000))
  outbox.send('next')
  take(new Error('WebSocket is not open: readyState 2 (CLOSING)'))
  expect(given).toHaveLength(1)
})
