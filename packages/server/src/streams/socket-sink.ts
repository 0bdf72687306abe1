import { randomBytes } from 'node:crypto'
import type { WebSocket } from 'ws'
import type { OutboxSink, Taken } from './outbox.ts'

/** Bytes behind which a ping asks the reader of a socket whether it has read so far. */
const pingEvery = 16 * 1024

interface SocketHooks {
  /** The reader has answered a ping, and so has read what was sent before it. */
  onRead(): void
  cutOff(): void
}

/**
 * The way to the reader of a WebSocket. Pings go out between the events: the system's buffers take megabytes at once and hide for minutes
 * that a reader on a slow link reads, and its pongs show it. Each ping carries a word that only its reader knows: a pong that answers
 * none shows nothing.
 */
export function socketSink(socket: WebSocket, { onRead, cutOff }: SocketHooks): OutboxSink {
  let unasked = 0
  /** The words of pings that were not answered yet, oldest first. */
  const asked = new Set<string>()
  socket.on('pong', data => {
    const word = data.toString('hex')
    if (!asked.has(word)) return
    // A reader may answer the last of several pings alone.
    for (const one of asked) {
      asked.delete(one)
      if (one === word) break
    }
    onRead()
  })
  const ask = (taken?: Taken) => {
    const word = randomBytes(8)
    asked.add(word.toString('hex'))
    socket.ping(word, undefined, taken)
  }
  return {
    get waiting() {
      return socket.bufferedAmount
    },
    give(piece, fin, taken) {
      socket.send(piece, { fin }, taken)
      unasked += piece.length
      if (unasked < pingEvery || socket.readyState !== socket.OPEN) return
      unasked = 0
      ask()
    },
    // A ping has gone out when all events before it have.
    whenTaken: ask,
    end: () => socket.close(),
    cutOff,
  }
}
