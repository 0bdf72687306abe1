import { keyRow } from 'turnbuckle/middleware'
import { replaceText } from '../editor/editor.ts'
import type { ChatSession } from '../session/chat-session.ts'
import { ownMessages } from '../slash/rewind-command.ts'
import { runSlashCommand } from '../slash/run-slash-command.ts'

const stopHint = 'Esc again to stop'
const takeBackHint = 'Esc again to take your message back'
const backHint = 'Esc again to go back to an earlier message'

export interface EscapeKeyOptions {
  /** Shows a hint for as long as a second Esc would count. */
  readonly hintFor: (hint: string) => void
  readonly now: () => number
  /** Milliseconds in which a second Esc counts. */
  readonly within: number
}

/** Esc, where no question and no editor has a use for it: the second of two stops the turn, takes back what waits for another program, or goes back to an earlier message. */
export class EscapeKey {
  readonly #session: ChatSession
  readonly #options: EscapeKeyOptions
  readonly #stopsAt: ReturnType<typeof keyRow>
  /** A row of its own: an Esc that was a no, or was to stop the turn, is not the first of two that go back. */
  readonly #goesBackAt: ReturnType<typeof keyRow>

  constructor(session: ChatSession, options: EscapeKeyOptions) {
    const { within } = options
    this.#session = session
    this.#options = options
    this.#stopsAt = keyRow({ key: 'escape', within })
    this.#goesBackAt = keyRow({ key: 'escape', within })
    session.subscribe(() => {
      const { hint, running } = session.state
      if (hint === (running ? backHint : stopHint)) session.set({ hint: '' })
    })
  }

  press(): void {
    const session = this.#session
    if (session.state.menu) session.set({ menu: undefined })
    else if (session.isWorking) this.stop()
    else if (session.state.queue.length) this.#takeBack()
    else this.#goBack()
  }
  /** Another key ends the rows. */
  endRows(key: string): void {
    this.#stopsAt({ key }, this.#options.now())
    this.#goesBackAt({ key }, this.#options.now())
  }

  /** For an Esc that is to stop the turn. One that is a no counts as the first of two: `meanwhile` refuses. */
  stop(meanwhile: () => void = () => {}): void {
    const now = this.#options.now()
    this.#goesBackAt({ key: 'no' }, now)
    const isSecond = this.#stopsAt({ key: 'escape' }, now)
    meanwhile()
    if (!this.#session.isWorking) return
    if (isSecond) this.#session.interrupt('Esc Esc')
    else this.#options.hintFor(stopHint)
  }

  /** The message comes before what is being written. */
  #takeBack(): void {
    const session = this.#session
    if (!this.#stopsAt({ key: 'escape' }, this.#options.now())) {
      this.#options.hintFor(takeBackHint)
      return
    }
    const { editor } = session.state
    const written = [session.takeBack(), editor.text].filter(Boolean).join('\n')
    session.set({ editor: replaceText(editor, written), hint: '' })
  }

  /** Esc Esc in an empty input, with nothing running here or elsewhere, chooses an earlier message to go back to. */
  #goBack(): void {
    const session = this.#session
    if (session.state.editor.text !== '' || session.isFollowing || !ownMessages(session).length) return
    if (this.#goesBackAt({ key: 'escape' }, this.#options.now())) void runSlashCommand(session, '/rewind')
    else this.#options.hintFor(backHint)
  }
}
