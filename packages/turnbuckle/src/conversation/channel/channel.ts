import type { Maybe } from '../../core/base/maybe.ts'

/** Is told the messages of a topic. */
export interface ChannelListener {
  /** Plain JSON, as it was published. */
  hear(message: unknown): void
  /** Messages may have been missed: listening has begun, or has begun again after the connection was lost. */
  missed?(): void
}

/**
 * Carries small messages between the processes that share a store. Contract: a message reaches everybody who listens to its topic when
 * it is sent, the sender's own listeners too; those of one sender come whole, in order and at most once. Nothing is kept, so whoever was
 * told `missed` looks into the store. `publish` and `listen` never throw.
 */
export interface Channel {
  /** False while nothing is heard: before the first listening, without a connection, or where the way there passes on no messages. */
  readonly isOpen: boolean
  /** Sends a message of plain JSON. One over two million characters, or that cannot be sent, is lost. */
  publish(topic: string, message: unknown): void
  /** Returns how to stop. */
  listen(topic: string, listener: ChannelListener): () => void
  /** Sends what waits, then lets go of connections. */
  close(): Maybe<void>
}
