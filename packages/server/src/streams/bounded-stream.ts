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
  const sink = new AnswerText(outgoing)
  const outbox = new Outbox(limit, {
    get waiting() {
      return sink.waiting
    },
    give: (piece, _isLast, taken) => sink.give(piece, taken),
    whenTaken: taken => sink.whenTaken(taken),
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
class AnswerText {
  readonly #outgoing: ServerResponse
  #state: 'waiting' | 'begun' | 'ending' = 'waiting'
  #takers: Taken[] = []
  /** Text that was given in this tick. The events of one commit are one chunk: each takes its way through the socket. */
  #given = ''
  #givenBytes = 0
  /** Bytes on their way to the socket. */
  #onWay = 0

  constructor(outgoing: ServerResponse) {
    this.#outgoing = outgoing
    // Where a write fails the connection closes, which is heard.
    outgoing.on('error', () => {})
  }

  get waiting(): number {
    return this.#onWay + this.#givenBytes
  }

  whenTaken(tell: Taken): void {
    this.#takers.push(tell)
    if (this.waiting === 0) queueMicrotask(() => this.#tellTaken())
  }

  give(piece: string, taken: Taken | undefined): void {
    if (taken) this.#takers.push(taken)
    if (!this.#given) queueMicrotask(() => this.#pass())
    this.#given += piece
    this.#givenBytes += Buffer.byteLength(piece)
    if (this.#givenBytes > mostAtOnce) this.#pass()
  }

  begin(headers: Readonly<Record<string, string>>): void {
    const isOver = this.#state === 'ending'
    this.#outgoing.writeHead(200, headers)
    this.#state = 'begun'
    if (this.#given) this.#pass()
    else this.#outgoing.flushHeaders()
    if (isOver) this.#outgoing.end()
  }

  end(): void {
    const hasBegun = this.#state === 'begun'
    this.#pass()
    this.#state = 'ending'
    if (hasBegun && !this.#outgoing.destroyed) this.#outgoing.end()
  }

  #pass(): void {
    if (!this.#given || this.#state === 'waiting' || this.#outgoing.destroyed) return
    const [text, bytes] = [this.#given, this.#givenBytes]
    this.#given = ''
    this.#givenBytes = 0
    this.#onWay += bytes
    this.#outgoing.write(text, error => {
      this.#onWay -= bytes
      if (!error) this.#tellTaken()
    })
  }

  #tellTaken(): void {
    if (this.waiting > 0) return
    const takers = this.#takers
    this.#takers = []
    for (const tell of takers) tell()
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
