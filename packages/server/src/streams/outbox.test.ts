import { scriptedModel } from 'turnbuckle/testing'
import { expect, test, vi } from 'vitest'
import { readSse, seqs } from '../../test/read-sse.ts'
import { type Served, serve } from '../../test/serve.ts'
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
  const outbox = new Outbox(mega, sink)
  outbox.send('x'.repeat(100_000))
  outbox.send('next')
  outbox.end()
  expect(given.map(({ length }) => length)).toEqual([65_536])
  take()
  expect(given.map(({ length }) => length)).toEqual([65_536, 34_464])
  expect(happened).toEqual([])
  take()
  expect(given.at(-1)).toBe('next')
  expect(happened).toEqual(['end'])
})

test('eight long lines may wait, whatever their length; one more cuts the reader off', () => {
  const { sink, given, happened } = slowReader()
  const outbox = new Outbox(mega, sink)
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
    const outbox = new Outbox(mega, sink)
    outbox.send('x'.repeat(4 * 65_536))
    const paused = outbox.pace()
    for (let i = 0; i < 2; i++) {
      vi.advanceTimersByTime(29_000)
      take()
    }
    expect(happened).toEqual([])
    vi.advanceTimersByTime(30_000)
    expect(happened).toEqual(['cutOff'])
    // A feed that waited for the reader is let go.
    await paused
    expect(outbox.pace()).toBeUndefined()
  } finally {
    vi.useRealTimers()
  }
})

test('a connection that closes while events wait for it holds up no feed: each would ask again for ever', async () => {
  const { sink, happened, take } = slowReader()
  const outbox = new Outbox(mega, { ...sink, waiting: mega })
  const paused = outbox.pace()
  take(new Error('WebSocket is not open: readyState 2 (CLOSING)'))
  await paused
  expect(outbox.pace()).toBeUndefined()
  expect(happened).toEqual([])
})

test('a connection that closes within a long line is given no more of it', () => {
  const { sink, given, take } = slowReader()
  const outbox = new Outbox(mega, sink)
  outbox.send('x'.repeat(200_000))
  outbox.send('next')
  take(new Error('WebSocket is not open: readyState 2 (CLOSING)'))
  expect(given).toHaveLength(1)
})
