/** The turn's clock. It stands still while a person is asked, but for `now`. */
export interface TurnClock {
  now(): number
  /** Active milliseconds since the turn began. */
  elapsed(): number
  after(ms: number, turn: () => void): () => void
  /** Rejects when the turn is interrupted. */
  sleep(ms: number): Promise<void>
}
