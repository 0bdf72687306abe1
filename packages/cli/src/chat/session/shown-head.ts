import type { Event } from 'turnbuckle'

/** A turn of another process that is to be shown. */
export interface NextTurn {
  readonly turnId: string
  /** The number of the event before its first. */
  readonly after: number
}

/** The last message that the chat shows. A conversation that is read anew may be further. */
export class ShownHead {
  id: string | undefined

  constructor(id: string | undefined) {
    this.id = id
  }

  /** An event is shown. */
  hear(event: Event): void {
    if (event.type === 'turn.started') this.id = event.parentId ?? undefined
    else if (event.type === 'message.added' && (event.parentId ?? undefined) === this.id) this.id = event.messageId
    else if (event.type === 'history.edited' && event.from === this.id) this.id = event.to
  }

  /** The turn among these events that goes on from here. Those of other branches do not. */
  next(events: readonly Event[]): NextTurn | undefined {
    const begun = events.find(event => event.type === 'turn.started' && (event.parentId ?? undefined) === this.id)
    return begun?.turnId === undefined ? undefined : { turnId: begun.turnId, after: (begun.seq ?? 1) - 1 }
  }
}
