import { keyRow } from 'turnbuckle/middleware'
import type { ChatSession } from '../chat-session.ts'
import { goToMessage } from '../slash/go-to-message.ts'
import { runSlashCommand } from '../slash/run-slash-command.ts'
import { slashTable } from '../slash/slash-table.ts'
import type { Question } from '../transcript/question.ts'
import { answerKey } from './answer-key.ts'
import { completeInput } from './complete-input.ts'
import { applyKey, editorWith, emptyEditor } from './editor.ts'
import type { InputHistory } from './input-history.ts'
import type { KeyPress } from './key-reader.ts'
import { openPager, pagerKey } from './pager-key.ts'

const slashes = slashTable.map(({ name }) => name)

/** `enter`, `ctrl-c` */
const nameOf = ({ name, text }: KeyPress): string => (name === 'ctrl' ? `ctrl-${text}` : name)

/** Carries out key presses in the chat. */
export class Keyboard {
  readonly #session: ChatSession
  readonly #history: InputHistory
  readonly #escapedTwice = keyRow({ key: 'escape', within: 500 })
  readonly #leftTwice = keyRow({ key: 'ctrl-c', within: 2000 })
  readonly #now: () => number
  /** When something was written last. */
  #writtenAt = Number.NEGATIVE_INFINITY
  /** The question that came up last, and whether something begun before it is still being written. */
  #asked: string | undefined
  #unfinished = false

  constructor(session: ChatSession, history: InputHistory, now: () => number = Date.now) {
    this.#session = session
    this.#history = history
    this.#now = now
  }

  /** Splits a chunk of text into single key presses while a question or the tree is open. */
  press(key: KeyPress): void {
    const { tree, questions } = this.#session.state
    const [question] = questions
    const choosing = tree !== undefined || (question && question.kind !== 'text' && !question.writing)
    if (!choosing || key.name !== 'text' || key.text.length < 2) this.#press(key)
    else
      for (const [i, text] of [...key.text].entries()) {
        this.#press({ name: 'text', text })
        // The question is answered: the rest is text again.
        if (this.#session.state.questions[0] !== question) {
          const rest = [...key.text].slice(i + 1).join('')
          if (rest) this.press({ name: 'text', text: rest })
          return
        }
      }
  }

  #press(key: KeyPress): void {
    const session = this.#session
    if (session.state.hint) session.set({ hint: '' })
    const name = nameOf(key)
    const left = this.#leftTwice({ key: name }, this.#now())
    const escaped = this.#escapedTwice({ key: name }, this.#now())
    const [question] = session.state.questions
    if (left) session.leave()
    else if (name === 'ctrl-c') session.set({ hint: 'Ctrl-C again leaves.', editor: emptyEditor })
    else if (session.state.pager) pagerKey(session, key)
    else if (name === 'ctrl-o') openPager(session)
    else if (name === 'ctrl-r') session.toggleReasoning()
    else if (escaped && session.state.running) session.interrupt('Esc Esc')
    else if (session.state.tree) this.#walk(key)
    else if (question && !this.#isWriting(question)) answerKey(session, question, key)
    else this.#write(key)
  }

  /** A question that comes up while one writes is not answered by the next letter of the word, nor by its Enter. */
  #isWriting({ id, writing }: Question): boolean {
    const begun = this.#session.state.editor.text !== ''
    if (id !== this.#asked) this.#unfinished = begun
    this.#asked = id
    this.#unfinished &&= begun && this.#now() - this.#writtenAt < 500
    return this.#unfinished && !writing
  }

  #write(key: KeyPress): void {
    const session = this.#session
    const own = this.#ownKeys[nameOf(key)]
    this.#writtenAt = this.#now()
    if (own) own(key)
    else session.set({ editor: applyKey(session.state.editor, key) })
  }

  /** The keys that do more than change the text. */
  readonly #ownKeys: Readonly<Record<string, (key: KeyPress) => void>> = {
    enter: () => this.#enter(),
    'alt-enter': () => {
      const { running, editor } = this.#session.state
      if (running) this.#submit(text => this.#session.queue(text))
      else this.#session.set({ editor: applyKey(editor, { name: 'newline', text: '' }) })
    },
    tab: () => this.#complete(),
    up: key => this.#upDown(key, -1),
    down: key => this.#upDown(key, 1),
    'ctrl-d': () => {
      if (!this.#session.state.editor.text) this.#session.leave()
    },
    'ctrl-l': () => this.#session.repaint(),
  }

  #enter(): void {
    const { text, cursor } = this.#session.state.editor
    // The way to begin a new line that works in every terminal.
    if (text.endsWith('\\') && cursor === text.length)
      this.#session.set({ editor: editorWith(`${text.slice(0, -1)}\n`) })
    else this.#submit(line => this.#session.send(line))
  }

  #submit(send: (text: string) => void): void {
    const session = this.#session
    const text = session.state.editor.text.trim()
    if (!text) return
    session.set({ editor: emptyEditor })
    this.#history.add(text)
    if (/^\/[a-z]*(\s|$)/i.test(text)) void runSlashCommand(session, text)
    else send(text)
  }

  #complete(): void {
    const session = this.#session
    const found = completeInput(session.state.editor, slashes, session.composed.loaded.root)
    if (found) session.set({ editor: found.editor, hint: found.choices.slice(0, 8).join('  ') })
  }

  #upDown(key: KeyPress, by: 1 | -1): void {
    const session = this.#session
    const { editor } = session.state
    const moved = applyKey(editor, key)
    const line = moved === editor ? this.#history.step(by, editor.text) : undefined
    session.set({ editor: line === undefined ? moved : editorWith(line) })
  }

  #walk({ name, text }: KeyPress): void {
    const session = this.#session
    const { tree } = session.state
    if (!tree) return
    const last = tree.lines.length - 1
    const to = (at: number) => session.set({ tree: { ...tree, at: Math.max(0, Math.min(last, at)) } })
    if (name === 'up' || text === 'k') to(tree.at - 1)
    else if (name === 'down' || text === 'j') to(tree.at + 1)
    else if (name === 'home') to(0)
    else if (name === 'end') to(last)
    else if (name === 'escape' || text === 'q') session.set({ tree: undefined })
    else if (name === 'enter') void goToMessage(session, tree.lines[tree.at]?.id)
  }
}
