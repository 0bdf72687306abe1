import type { ServerResponse } from 'node:http'
import type { Pace } from '../feeds/paced-follower.ts'
import { Outbox, type ReaderLimit, type Taken } from './outbox.ts'

/** Bytes that are given to the connection in one piece at the most, so that a slow reader is seen to take some of them. */
const mostAtOnce = 64 * 1024

/** A proxy takes a connection that says nothing for one that is dead, and closes it. */
const keepAliveMs = 15_000

interface StreamHooks {
  onEnd(): void
  /** The reader has closed the connection; called before `onEnd`. Not for one that was cut off here. */
  onLeft?(): void
}

interface BoundedStream {
  write(text: string): void
  end(): void
  readonly pace: Required<Pace>
  /** Begins the answer, with what was written so far. The handler of the request gives what this gives. */
  answer(headers?: Readonly<Record<string, string>>): Response
}

/**
 * An answer of lines to one reader for which at most `limit.bytes` wait. A reader that does not read is cut off; it comes
 * back with the sequence number of the last event it saw. While nothing is told, a comment says that the stream is alive.
 */
export function boundedStream(
  outgoing: ServerResponse,
  limit: ReaderLimit,
  { onEnd, onLeft }: StreamHooks,
): BoundedStream {
  let isOver = false
  const over = () => {
    isOver = true
    clearInterval(keepAlive)
    outgoing.off('close', left)
    onEnd()
  }
  const left = () => {
    outbox.close()
    onLeft?.()
    over()
  }
  const sink = openPieces(outgoing)
  const outbox = new Outbox(limit, {
    get waiting() {
      return sink.waiting()
    },
    give: (piece, _isLast, taken) => sink.give(piece, taken),
    whenTaken: sink.whenTaken,
    end() {
      sink.end()
      over()
    },
    // The connection goes with all that waits for it: a reader that has stalled would hold it for ever.
    cutOff() {
      over()
      outgoing.destroy()
    },
  })
  outgoing.once('close', left)
  const keepAlive = setInterval(() => outbox.send(': still here\n\n'), keepAliveMs)
  const answer = (headers: Readonly<Record<string, string>> = {}): Response => {
    // Whoever asks for the head alone follows nothing, and neither does a reader that has left by now.
    const hasLeft = outgoing.destroyed || outgoing.req.method === 'HEAD'
    if (hasLeft && !isOver) left()
    if (hasLeft) return new Response(null, { headers: { ...eventStream, ...headers } })
    sink.begin({ ...eventStream, ...headers })
    return answeredAlready
  }
  return { write: text => outbox.send(text), end: () => outbox.end(), pace: outbox.pace, answer }
}

/** The text of an answer on Node's own, which tells when its reader has taken it: a stream of the web's between them costs more than the text. */
function openPieces(outgoing: ServerResponse) {
  let state: 'waiting' | 'begun' | 'ending' = 'waiting'
  let whenTaken: Taken[] = []
  /** Text that was given in this tick. The events of one commit are one chunk: each takes its way through the socket. */
  let given = ''
  let givenBytes = 0
  /** Bytes on their way to the socket. */
  let onWay = 0
  const tellTaken = () => {
    if (onWay + givenBytes > 0) return
    const waiting = whenTaken
    whenTaken = []
    for (const tell of waiting) tell()
  }
  const pass = () => {
    if (!given || state === 'waiting' || outgoing.destroyed) return
    const [text, bytes] = [given, givenBytes]
    given = ''
    givenBytes = 0
    onWay += bytes
    outgoing.write(text, error => {
      onWay -= bytes
      if (!error) tellTaken()
    })
  }
  // Where a write fails the connection closes, which is heard.
  outgoing.on('error', () => {})
  return {
    waiting: () => onWay + givenBytes,
    whenTaken(tell: Taken) {
      whenTaken.push(tell)
      if (onWay + givenBytes === 0) queueMicrotask(tellTaken)
    },
    give(piece: string, taken: Taken | undefined) {
      if (taken) whenTaken.push(taken)
      if (!given) queueMicrotask(pass)
      given += piece
      givenBytes += Buffer.byteLength(piece)
      if (givenBytes > mostAtOnce) pass()
    },
    begin(headers: Readonly<Record<string, string>>) {
      const isOver = state === 'ending'
      outgoing.writeHead(200, headers)
      state = 'begun'
      if (given) pass()
      else outgoing.flushHeaders()
      if (isOver) outgoing.end()
    },
    end() {
      const hasBegun = state === 'begun'
      pass()
      state = 'ending'
      if (hasBegun && !outgoing.destroyed) outgoing.end()
    },
  }
}

/** Says that the answer is on Node's own. Its body is asked for, since the listener answers with one whose body nobody has asked for by itself. */
const answeredAlready = new Response(null, { headers: { 'x-hono-already-sent': 'true' } })
void answeredAlready.body

/** Headers of an answer that is a stream of events. */
const eventStream: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  connection: 'close',
}
