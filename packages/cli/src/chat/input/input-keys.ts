import { sendToBackground } from '../background-commands.ts'
import { lastCharacter } from '../editor/characters.ts'
import { type Editor, insert, refilled, replaceText } from '../editor/editor.ts'
import { applyKey } from '../editor/editor-keys.ts'
import { unfoldPastes } from '../editor/fold-paste.ts'
import type { InputHistory } from '../editor/input-history.ts'
import { beginSearch, searchFor, searchNewer, searchOlder } from '../editor/search-history.ts'
import { clipboardImage } from '../files/clipboard-image.ts'
import { completePath } from '../files/complete-path.ts'
import { moveChoice, takeChoice } from '../menu/menu.ts'
import type { ChatSession } from '../session/chat-session.ts'
import { type KeyPress, keyName } from './key-press.ts'
import { submitInput } from './submit-input.ts'

/** The keys of the input that do more than change its text. */
export class InputKeys {
  readonly #session: ChatSession
  readonly #history: InputHistory
  readonly #edit: (editor: Editor) => void
  /** Ctrl-X was pressed: the next key belongs to it. */
  #prefixed = false

  constructor(session: ChatSession, history: InputHistory, edit: (editor: Editor) => void) {
    this.#session = session
    this.#history = history
    this.#edit = edit
  }

  get #editor(): Editor {
    return this.#session.state.editor
  }
  /** The input without its text. */
  emptied(): Editor {
    return refilled(this.#editor)
  }

  /** Names of the keys that it has a use for. */
  get names(): readonly string[] {
    return [...Object.keys(this.#menuKeys), ...Object.keys(this.#ownKeys)]
  }

  /** True where the key was one of these. */
  press(key: KeyPress): boolean {
    const name = keyName(key)
    const menu = this.#session.state.menu && this.#menuKeys[name]
    const own = menu ?? this.#ownKeys[name]
    own?.()
    return own !== undefined
  }

  readonly #menuKeys: Readonly<Record<string, () => void>> = {
    up: () => this.#moveChoice(-1),
    'ctrl-p': () => this.#moveChoice(-1),
    down: () => this.#moveChoice(1),
    'ctrl-n': () => this.#moveChoice(1),
    tab: () => this.#takeChoice(),
    enter: () => {
      const isCommand = this.#session.state.menu?.kind === 'command'
      this.#takeChoice()
      if (isCommand) this.#submit()
    },
  }

  readonly #ownKeys: Readonly<Record<string, () => void>> = {
    enter: () => this.#enter(),
    'alt-enter': () => {
      if (this.#session.state.running) this.#submit(true)
      // With vim keys it is Esc and Enter in quick succession.
      else if (this.#editor.vim) this.#enter()
      else this.#edit(insert(this.#editor, '\n'))
    },
    tab: () => this.#complete(),
    up: () => this.#upDown(-1),
    'ctrl-p': () => this.#upDown(-1),
    down: () => this.#upDown(1),
    'ctrl-n': () => this.#upDown(1),
    'ctrl-d': () => {
      if (this.#editor.text) this.#edit(applyKey(this.#editor, { name: 'ctrl', text: 'd' }))
      else this.#session.terminal.leave()
    },
    'ctrl-b': () => {
      if (this.#editor.text || !sendToBackground(this.#session))
        this.#edit(applyKey(this.#editor, { name: 'ctrl', text: 'b' }))
    },
    'ctrl-r': () => this.#beginSearch(),
    'ctrl-v': () => this.pasteImage(),
    'alt-.': () => this.#insertLastWord(),
  }

  #moveChoice(by: 1 | -1): void {
    const { menu } = this.#session.state
    if (menu) this.#session.set({ menu: moveChoice(menu, by) })
  }
  #takeChoice(): void {
    const { menu } = this.#session.state
    if (!menu) return
    const { text, cursor } = takeChoice(this.#editor, menu)
    this.#edit(replaceText(this.#editor, text, cursor))
    this.#session.set({ menu: undefined })
  }

  #enter(): void {
    const { text, cursor } = this.#editor
    // The way to begin a new line that works in every terminal.
    if (text.endsWith('\\') && cursor === text.length) this.#edit(replaceText(this.#editor, `${text.slice(0, -1)}\n`))
    else this.#submit()
  }

  /** `later`: after the turn that runs. */
  #submit(later = false): void {
    const text = unfoldPastes(this.#editor).trim()
    if (!text) return
    this.#edit(this.emptied())
    this.#history.add(text)
    submitInput(this.#session, text, later)
  }

  #complete(): void {
    const session = this.#session
    const found = completePath(this.#editor, session.composed.loaded.root)
    if (!found) return
    this.#edit(replaceText(this.#editor, found.text, found.cursor))
    session.set({ hint: found.choices.slice(0, 8).join('  ') })
  }

  /** Through the lines of the text; beyond them a queued message is taken back, or a line of the history shown. */
  #upDown(by: 1 | -1): void {
    const editor = this.#editor
    const moved = applyKey(editor, { name: by < 0 ? 'up' : 'down', text: '' })
    if (moved === editor) this.#lookBack(by)
    else this.#edit(moved)
  }
  #lookBack(by: 1 | -1): void {
    const editor = this.#editor
    const queued = by < 0 && !editor.text ? this.#session.takeBack() : undefined
    const line = queued ?? this.#history.step(by, editor.text)
    if (line === undefined) return
    this.#edit(replaceText(editor, line))
    this.#session.set({ menu: undefined })
  }

  #insertLastWord(): void {
    const word = this.#history.lines.at(-1)?.split(/\s+/).at(-1)
    if (word) this.#edit(insert(this.#editor, word))
  }

  #beginSearch(): void {
    this.#session.set({ search: beginSearch(this.#history.lines, this.#editor), menu: undefined })
    this.#showSearch()
  }

  /** A key while Ctrl-R searches. Enter leaves the line in the input: it is sent by the next Enter. */
  search(key: KeyPress): void {
    const session = this.#session
    const { search } = session.state
    if (!search) return
    const { lines } = this.#history
    const name = keyName(key)
    if (name === 'text') session.set({ search: searchFor(search, lines, search.query + key.text) })
    else if (name === 'backspace') {
      const query = search.query.slice(0, search.query.length - lastCharacter(search.query).length)
      session.set({ search: searchFor(search, lines, query) })
    } else if (name === 'ctrl-r' || name === 'up') session.set({ search: searchOlder(search, lines) })
    else if (name === 'ctrl-s' || name === 'down') session.set({ search: searchNewer(search, lines) })
    else if (name === 'escape' || name === 'ctrl-g') {
      this.#edit(search.before)
      session.set({ search: undefined, menu: undefined })
    } else {
      session.set({ search: undefined, menu: undefined })
      if (name !== 'enter' && !this.press(key)) this.#edit(applyKey(this.#editor, key))
    }
    this.#showSearch()
  }

  #showSearch(): void {
    const session = this.#session
    const { search } = session.state
    if (!search) return
    const found = this.#history.lines[search.at]
    this.#edit(found === undefined ? search.before : { ...replaceText(search.before, found), past: search.before.past })
    const failed = search.failed ? ' (nothing older)' : ''
    session.set({
      menu: undefined,
      hint: `search history: ${search.query}${failed} · Ctrl-R older · Enter takes it · Esc leaves`,
    })
  }

  /** Ctrl-X Ctrl-E. */
  isEditorKey(key: KeyPress): boolean {
    const name = keyName(key)
    const isWhole = this.#prefixed && name === 'ctrl-e'
    this.#prefixed = name === 'ctrl-x'
    return isWhole
  }
  async openEditor(): Promise<void> {
    const text = await this.#session.terminal.edit(unfoldPastes(this.#editor))
    if (text !== undefined) this.#edit(replaceText({ ...this.#editor, folded: new Map() }, text))
    this.#session.set({ menu: undefined })
  }

  pasteImage(): void {
    const image = clipboardImage()
    if ('problem' in image) this.#session.set({ hint: image.problem })
    else this.#edit(insert(this.#editor, `@${image.path} `))
  }
}
