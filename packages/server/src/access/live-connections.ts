/** A socket or stream, or what it follows: it ends once its person may no longer have it. */
export interface LiveConnection {
  mayStay(): boolean
  end(): void
}

/** The sockets and streams that are open now. A right that is taken away counts for them too, at once. */
export class LiveConnections {
  readonly #open = new Set<LiveConnection>()

  /** Returns a function that forgets it. */
  add(connection: LiveConnection): () => void {
    this.#open.add(connection)
    return () => this.#open.delete(connection)
  }
  /** Ends those whose token was revoked or has expired, or whose conversation is no longer shared with their person. */
  sweep(): void {
    for (const connection of [...this.#open])
      if (!connection.mayStay()) {
        this.#open.delete(connection)
        connection.end()
      }
  }
}
