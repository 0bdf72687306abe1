import type { Conversation, Message } from 'turnbuckle'
import { pathItems } from '../transcript/message-items.ts'
import { recordedView } from '../transcript/recorded-view.ts'
import { showRecorded } from '../transcript/show-recorded.ts'
import type { TranscriptItem } from '../transcript/transcript-item.ts'
import { RecordedLog } from './recorded-log.ts'
import type { ShownChat } from './shown-chat.ts'

/** Shows what the log has of a conversation: its last screens at first, the rest when somebody looks at it. */
export class RecordedTranscript {
  readonly #chat: ShownChat
  /** Items of a turn that another process left in the middle; a resumed turn tells them again. */
  #cut: readonly TranscriptItem[] = []
  /** The conversation that is on the screen as it was recorded; undefined while the events of a turn are shown as they come. */
  #shown: Conversation | undefined

  /** Ids of the items that were on the screen when the path was drawn. */
  #drawn: ReadonlySet<string> = new Set()

  readonly #log: RecordedLog

  constructor(chat: ShownChat) {
    this.#chat = chat
    this.#log = new RecordedLog(chat.composed.store)
  }

  /** Adds the last messages of the path to the head, as many as a terminal of so many rows can show. */
  async showLast(conversation: Conversation, rows: number): Promise<void> {
    this.#show(conversation, await this.#lastMessages(conversation, rows))
  }
  /** A message takes at least two rows; some are hidden. */
  async #lastMessages({ id, head, unfinished }: Conversation, rows: number): Promise<readonly Message[] | undefined> {
    if (head === undefined || unfinished.length) return undefined
    const limit = Math.max(20, rows)
    const nodes = await this.#chat.composed.store.path(id, head, limit)
    this.#chat.set({ hasOlder: nodes.length === limit })
    await this.#log.read(
      id,
      nodes.map(({ turn: turnId, message }) => ({ turnId, message })),
    )
    return nodes.flatMap(({ message, hidden }) => (hidden ? [] : [message]))
  }

  /** The path to the head on an empty screen; what was there is in the scrollback. */
  redraw(conversation: Conversation): void {
    this.#chat.repaint({ past: [], live: [], hasOlder: false, tree: undefined })
    this.#show(conversation)
    // A store that was closed meanwhile has nothing more to show.
    this.#showFacts(conversation).catch(() => {})
  }
  /** Shows the path again where the log of its turns says who has let calls run, or how a reply ended. */
  async #showFacts(conversation: Conversation): Promise<void> {
    const { head } = conversation
    const shown = new Set(conversation.messages.map(({ id }) => id))
    const nodes = conversation.tree.filter(({ id }) => shown.has(id))
    const isFound = await this.#log.read(conversation.id, nodes)
    const isAsItWas = this.#shown === conversation && conversation.head === head && !this.#chat.state.running
    if (!isFound || !isAsItWas) return
    // What was said meanwhile stays, after the path.
    const since = this.#chat.state.past.filter(({ id }) => !this.#drawn.has(id))
    this.redraw(conversation)
    this.#chat.set(state => ({ ...state, past: [...state.past, ...since] }))
  }
  #show(conversation: Conversation, messages?: readonly Message[]): void {
    this.#shown = conversation
    const { state, cut } = showRecorded(this.#chat.state, conversation, messages, this.#log.facts)
    this.#cut = cut
    this.#drawn = new Set(state.past.map(({ id }) => id))
    this.#chat.set(state)
  }

  /** Takes the items of a turn's first run away: a resumed turn sends its events from the beginning. */
  forgetCut(conversation: Conversation): void {
    this.#shown = undefined
    const again = new Set(this.#cut)
    const view = recordedView(conversation)
    this.#chat.set(state => ({ ...state, view, past: state.past.filter(item => !again.has(item)) }))
  }

  /** Every item, with those that were not read when the chat began. */
  whole(conversation: Conversation): readonly TranscriptItem[] {
    const { past, live, hasOlder } = this.#chat.state
    if (!hasOlder) return [...past, ...live]
    const known = new Set(past.map(({ id }) => id))
    const first = past.findIndex(({ kind }) => kind !== 'notice')
    const older = pathItems(conversation.messages, this.#log.facts).filter(({ id }) => !known.has(id))
    return [...past.slice(0, first), ...older, ...past.slice(first), ...live]
  }
}
