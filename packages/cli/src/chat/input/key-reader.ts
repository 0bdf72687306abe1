/** A key press, or a whole paste. */
export interface KeyPress {
  readonly name:
    | 'text'
    | 'paste'
    | 'enter'
    | 'newline'
    | 'escape'
    | 'tab'
    | 'backspace'
    | 'delete'
    | 'up'
    | 'down'
    | 'left'
    | 'right'
    | 'home'
    | 'end'
    | 'page-up'
    | 'page-down'
    | 'word-left'
    | 'word-right'
    | 'alt-enter'
    | 'ctrl'
    | 'unknown'
  /** The characters that were typed or pasted; for `ctrl` the letter. */
  readonly text: string
}

const pasteBegin = '\x1b[200~'
const pasteEnd = '\x1b[201~'

const sequences: Readonly<Record<string, KeyPress['name']>> = {
  '[A': 'up',
  '[B': 'down',
  '[C': 'right',
  '[D': 'left',
  OA: 'up',
  OB: 'down',
  OC: 'right',
  OD: 'left',
  '[H': 'home',
  '[F': 'end',
  OH: 'home',
  OF: 'end',
  '[1~': 'home',
  '[4~': 'end',
  '[3~': 'delete',
  '[5~': 'page-up',
  '[6~': 'page-down',
  '[1;5C': 'word-right',
  '[1;5D': 'word-left',
  '[1;3C': 'word-right',
  '[1;3D': 'word-left',
  '[13;2u': 'newline',
  '[27;2;13~': 'newline',
  '\r': 'alt-enter',
  '\n': 'alt-enter',
  b: 'word-left',
  f: 'word-right',
}

const plain: Readonly<Record<string, KeyPress['name']>> = {
  '\r': 'enter',
  '\n': 'newline',
  '\t': 'tab',
  '\x7f': 'backspace',
  '\b': 'backspace',
}

/** Milliseconds to wait for the rest of a key sequence: a slow connection may cut one in two. */
const restMs = 50

/**
 * Tells the keys in what a terminal sends. A chunk may hold several; a paste, and a key such as an arrow, may come in
 * several chunks. An ESC that nothing follows for a moment is the key; two of them are two presses, at once.
 */
export class KeyReader {
  readonly #press: (key: KeyPress) => void
  #pasting: string | undefined
  /** The beginning of a key, with what came of it. */
  #begun = ''
  #wait: NodeJS.Timeout | undefined

  constructor(press: (key: KeyPress) => void) {
    this.#press = press
  }

  read(chunk: string): void {
    clearTimeout(this.#wait)
    let rest = this.#begun + chunk
    this.#begun = ''
    while (rest) rest = this.#pasting === undefined ? this.#key(rest) : this.#paste(rest)
    if (this.#begun) this.#wait = setTimeout(() => this.end(), restMs)
  }

  /** Ends the wait: a key sequence that has begun counts as Esc and text. */
  end(): void {
    clearTimeout(this.#wait)
    const begun = this.#begun
    this.#begun = ''
    if (!begun) return
    this.#press({ name: 'escape', text: '' })
    if (begun.length > 1) this.#press({ name: 'text', text: begun.slice(1) })
  }

  #paste(rest: string): string {
    const whole = this.#pasting + rest
    const end = whole.indexOf(pasteEnd)
    this.#pasting = end < 0 ? whole : undefined
    if (end < 0) return ''
    this.#press({ name: 'paste', text: whole.slice(0, end).replace(/\r\n?/g, '\n') })
    return whole.slice(end + pasteEnd.length)
  }

  #key(rest: string): string {
    if (rest.startsWith(pasteBegin)) {
      this.#pasting = ''
      return rest.slice(pasteBegin.length)
    }
    if (rest.startsWith('\x1b')) return this.#sequence(rest)
    const first = rest.charAt(0)
    const named = plain[first]
    if (named) this.#press({ name: named, text: first })
    else if (first < ' ') this.#press({ name: 'ctrl', text: String.fromCharCode(first.charCodeAt(0) + 96) })
    else {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: text is what has none
      const text = /^[^\x00-\x1f\x7f]+/.exec(rest)?.[0] ?? first
      this.#press({ name: 'text', text })
      return rest.slice(text.length)
    }
    return rest.slice(1)
  }

  #sequence(rest: string): string {
    if (unfinished.test(rest)) {
      this.#begun = rest
      return ''
    }
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal's sequences
    const [whole = '\x1b', body = ''] = /^\x1b(\[[0-?]*[ -/]*[@-~]|O[A-Z]|[\r\nbf])?/.exec(rest) ?? []
    this.#press({ name: body ? (sequences[body] ?? 'unknown') : 'escape', text: '' })
    // Two presses in one chunk: nobody has to wait to see whether the second begins something.
    if (rest === '\x1b\x1b') this.#press({ name: 'escape', text: '' })
    return rest === '\x1b\x1b' ? '' : rest.slice(whole.length)
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal's sequences
const unfinished = /^\x1b(\[[0-?]*[ -/]*|O)?$/
