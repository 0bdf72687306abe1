import { keyRow } from 'turnbuckle/middleware'
import type { Editor } from '../editor/editor.ts'
import { applyKey, editKeyNames } from '../editor/editor-keys.ts'
import type { InputHistory } from '../editor/input-history.ts'
import { droppedFile } from '../files/dropped-file.ts'
import { ProjectFiles } from '../files/project-files.ts'
import { fileMark, type MenuSources, menuFor } from '../menu/menu.ts'
import { pressInPicker } from '../menu/press-in-picker.ts'
import type { ChatSession } from '../session/chat-session.ts'
import { slashItems } from '../slash/slash-items.ts'
import type { ChatState } from '../transcript/chat-state.ts'
import type { Question } from '../transcript/question.ts'
import { answerKey, answerWithText, beginWriting, editedText, refuse } from './answer-key.ts'
import { EscapeKey } from './escape-key.ts'
import { HeldLetter } from './held-letter.ts'
import { InputKeys } from './input-keys.ts'
import { type KeyPress, keyName } from './key-press.ts'
import { openPager, pagerKey } from './pager-key.ts'
import { QuestionGuard } from './question-guard.ts'
import { walkTree } from './walk-tree.ts'

/** Milliseconds in which a second Esc stops the turn, and a second Ctrl-C leaves. */
export const twiceMs = 3000

/** Carries out key presses in the chat: who gets a key is decided here, and nowhere else. */
export class Keyboard {
  readonly #session: ChatSession
  readonly #keys: InputKeys
  readonly #guard: QuestionGuard
  readonly #held = new HeldLetter()
  readonly #sources: MenuSources
  readonly #escape: EscapeKey
  readonly #leftTwice = keyRow({ key: 'ctrl-c', within: twiceMs })
  readonly #now: () => number
  #hint: NodeJS.Timeout | undefined

  constructor(session: ChatSession, history: InputHistory, now: () => number = Date.now) {
    this.#session = session
    this.#now = now
    this.#guard = new QuestionGuard(now)
    const files = new ProjectFiles(session.composed.loaded.root, now)
    this.#sources = {
      get commands() {
        return slashItems(session)
      },
      files: query => files.find(query),
    }
    this.#keys = new InputKeys(session, history, editor => this.edit(editor))
    this.#escape = new EscapeKey(session, { hintFor: hint => this.#hintFor(hint), now, within: twiceMs })
    session.subscribe(() => this.#guard.notice(visibleQuestion(session.state)?.id))
  }

  /** A chunk of text is pressed letter by letter where each letter may mean something; at a question it begins a text. */
  press(key: KeyPress): void {
    const { pager, tree } = this.#session.state
    const letters = key.name === 'text' && (pager || tree) ? [...key.text] : [key.text]
    for (const text of letters) this.#press(this.#withHeld({ ...key, text }))
  }
  /** A letter that is held belongs to the text that another goes on with; Esc, Backspace and Ctrl-C withdraw it, any other key makes it count. */
  #withHeld(key: KeyPress): KeyPress {
    if (key.name === 'text') return { ...key, text: `${this.#held.take()}${key.text}` }
    if (/^(escape|backspace|ctrl-c)$/.test(keyName(key))) this.#held.take()
    else this.#held.act()
    return key
  }

  /** Puts a text into the input, with the menu that belongs to it. */
  readonly edit = (editor: Editor): void => {
    const { state } = this.#session
    if (editor === state.editor) return
    const same = editor.text === state.editor.text && editor.cursor === state.editor.cursor
    this.#session.set({ editor, menu: same ? state.menu : menuFor(editor, this.#sources) })
  }

  #press(key: KeyPress): void {
    const session = this.#session
    const name = keyName(key)
    if (session.state.hint) session.set({ hint: '' })
    // A key other than Esc and Ctrl-C ends the rows of those two.
    if (name !== 'escape') this.#escape.endRows(name)
    if (name !== 'ctrl-c') this.#leftTwice({ key: name }, this.#now())
    const everywhere = this.#everywhere[name]
    const { pager, search, picker, tree, questions } = session.state
    if (pager && name !== 'ctrl-c') pagerKey(session, key)
    else if (everywhere) everywhere()
    else if (this.#keys.isEditorKey(key)) void this.#openEditor(questions[0])
    else if (search) this.#keys.search(key)
    else if (picker) pressInPicker(session, picker, key)
    else if (tree) walkTree(session, tree, key)
    else if (questions[0]) this.#pressAtQuestion(questions[0], key)
    else this.#write(key)
  }

  /** Names of all keys that the chat knows, those of vim and of questions aside. */
  get keyNames(): readonly string[] {
    return [...Object.keys(this.#everywhere), ...this.#keys.names, ...editKeyNames]
  }

  readonly #everywhere: Readonly<Record<string, () => void>> = {
    'ctrl-c': () => this.#stop(),
    'ctrl-t': () => this.#session.toggleReasoning(),
    'ctrl-l': () => this.#session.terminal.scrollAway(),
    'ctrl-o': () => openPager(this.#session),
    'ctrl-z': () => this.#session.terminal.suspend(),
    'shift-tab': () => this.#session.modes.next(),
    'kitty-offered': () => this.#session.terminal.useKittyKeys(),
  }

  /** Ctrl-C stops what runs; with nothing running the second leaves. What a turn elsewhere asks is not refused by leaving. */
  #stop(): void {
    const session = this.#session
    const [question] = session.state.questions
    if (session.isWorking) session.interrupt('Ctrl-C')
    else if (session.state.beside.length) session.endBeside()
    else if (this.#leftTwice({ key: 'ctrl-c' }, this.#now())) session.terminal.leave()
    else {
      if (question?.own) refuse(session, question)
      this.edit(this.#keys.emptied())
      session.set({ search: undefined, picker: undefined, tree: undefined, pager: undefined })
      this.#hintFor('Ctrl-C again leaves.')
    }
  }

  /** A key goes to a question only while the input is empty; what is being typed stays in the input. */
  #pressAtQuestion(question: Question, key: KeyPress): void {
    const session = this.#session
    const { editor } = session.state
    const isTyping = editor.text !== ''
    if (question.writing) answerKey(session, question, key)
    else if (key.name === 'escape' && !this.#isForEditor(key)) this.#refuse(question)
    else if (isTyping) this.#pressWhileTyping(question, key)
    else if (question.kind === 'text' && key.name !== 'enter') this.#write(key)
    else this.#answer(question, key)
  }

  /** A single letter is an answer when the typing pauses behind it: `yes, but …` is a text, also where the question has only just appeared. */
  #answer(question: Question, key: KeyPress): void {
    const isIgnored = this.#guard.ignores(key.name === 'text')
    const act = () => {
      if (isIgnored) return
      const [asked] = this.#session.state.questions
      if (asked?.id === question.id && !answerKey(this.#session, asked, key)) this.#write(key)
    }
    if (key.name !== 'text') act()
    else if ([...key.text].length === 1) this.#held.hold(key.text, act)
    else {
      this.#session.change(question, { confirming: undefined, problem: undefined })
      this.#write(key)
    }
  }

  /** Esc is no. It counts as the first of the two that stop the turn. */
  #refuse(question: Question): void {
    const session = this.#session
    if (question.confirming) session.change(question, { confirming: undefined, problem: undefined })
    else this.#escape.stop(() => refuse(session, question))
  }

  #pressWhileTyping(question: Question, key: KeyPress): void {
    const { text } = this.#session.state.editor
    const answers = key.name === 'enter' && !this.#session.state.menu && !text.startsWith('/')
    if (!answers) this.#write(key)
    else if (question.kind === 'text' && this.#guard.ignores(false)) return
    else answerWithText(this.#session, question)
  }

  /** At a permission question the call is edited; Enter then runs it. A question that came meanwhile is seen only afterwards. */
  async #openEditor(question: Question | undefined): Promise<void> {
    const edits = question?.kind === 'permission' && !question.writing && this.#session.state.editor.text === ''
    if (edits && question) beginWriting(this.#session, question, 'args', editedText(question))
    await this.#keys.openEditor()
    this.#guard.begin()
  }

  #write(key: KeyPress): void {
    if (key.name === 'escape' && !this.#isForEditor(key)) this.#escape.press()
    else if (this.#keys.press(key)) return
    else if (key.name === 'paste') this.#paste(key)
    else this.edit(applyKey(this.#session.state.editor, key))
  }

  /** Vim keys may have a use for Esc, but not where nothing is written and it is a no, or to stop what runs. */
  #isForEditor(key: KeyPress): boolean {
    const { editor, questions } = this.#session.state
    const isAwaited = questions.length > 0 || this.#session.isWorking
    if (isAwaited && !editor.text && editor.vim?.mode === 'insert') return false
    return applyKey(editor, key) !== editor
  }

  /** A file that is dropped into a terminal comes as a paste of its path. An empty paste is an image. */
  #paste(key: KeyPress): void {
    const { editor } = this.#session.state
    const dropped = droppedFile(key.text)
    if (dropped !== undefined) this.edit(applyKey(editor, { name: 'text', text: `${fileMark(dropped)} ` }))
    else if (key.text) this.edit(applyKey(editor, key))
    else this.#keys.pasteImage()
  }

  /** A hint that goes when the key it names no longer works. */
  #hintFor(hint: string): void {
    clearTimeout(this.#hint)
    this.#session.set({ hint })
    this.#hint = setTimeout(() => {
      if (this.#session.state.hint === hint) this.#session.set({ hint: '' })
    }, twiceMs)
    this.#hint.unref()
  }
}

/** The question that is to be seen: the transcript in full, a tree and a list are drawn over it. */
const visibleQuestion = ({ pager, tree, picker, questions: [question] }: ChatState): Question | undefined =>
  pager || tree || picker ? undefined : question
