import { oneLine } from '../text/one-line.ts'
import { emptyEditor } from './editor/editor.ts'
import type { ChatSession } from './session/chat-session.ts'
import { spokenChange, spokenItem, spokenQuestion } from './spoken-lines.ts'
import type { ChatState } from './transcript/chat-state.ts'

type SpokenSession = Pick<ChatSession, 'state' | 'set'>

/** Says what is new in the state of the chat, each thing once: what begins, what is finished, then the end of the turn. */
export class SpokenTeller {
  readonly #session: SpokenSession
  readonly #print: (line: string) => void
  #before: ChatState
  #count = 0
  #asked: string | undefined
  /** Messages that have waited: they are sent long after they were typed, or were typed in a chat that is gone. */
  readonly #waited = new Set<string>()

  constructor(session: SpokenSession, print: (line: string) => void) {
    this.#session = session
    this.#print = print
    this.#before = session.state
  }

  tell(): void {
    const { state } = this.#session
    const before = this.#before
    this.#before = state
    if (state.epoch !== before.epoch) this.#count = 0
    const recorded = !state.running
    for (const text of state.queue) this.#waited.add(text)
    const change = spokenChange(before, state)
    const ends = before.running && !state.running
    if (!ends) this.#say(change)
    for (const item of state.past.slice(this.#count)) {
      const isSentNow = !recorded && item.kind === 'user' && this.#waited.delete(item.text)
      this.#say(isSentNow ? `This has waited, and is sent now: ${item.text}` : spokenItem(item, recorded))
    }
    this.#count = state.past.length
    if (ends) this.#say(change)
    this.#list(state)
    this.#givenBack(state)
    const [question] = state.questions
    if (question && question.id !== this.#asked) this.#say(spokenQuestion(question))
    this.#asked = question?.id
  }

  /** Lists that one would walk through on a screen are read out. */
  #list({ tree, picker }: ChatState): void {
    if (tree) for (const { text, isHead } of tree.lines) this.#say(`${text}${isHead ? ' (you are here)' : ''}`)
    if (picker) for (const { label, detail, id } of picker.items) this.#say(`${oneLine(label, 200)} ${detail} (${id})`)
    if (tree || picker) this.#session.set({ tree: undefined, picker: undefined })
  }

  /** A message that would be in the input of a screen, to be said differently. */
  #givenBack({ editor }: ChatState): void {
    if (!editor.text) return
    this.#say(`Your message was: ${editor.text}`)
    this.#session.set({ editor: emptyEditor })
  }

  #say(text: string): void {
    if (text) this.#print(text)
  }
}
