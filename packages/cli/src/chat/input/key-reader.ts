import { type KeyPress, readSequence } from './key-press.ts'

const pasteBegin = '\x1b[200~'
const pasteEnd = '\x1b[201~'

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
    else if (first < ' ')
      this.#press({ name: 'ctrl', text: String.fromCharCode(first.charCodeAt(0) + 64).toLowerCase() })
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
    const [whole = '\x1b', body = ''] = sequence.exec(rest) ?? []
    this.#press(body ? readSequence(body) : { name: 'escape', text: '' })
    // Two presses in one chunk: nobody has to wait to see whether the second begins something.
    if (rest === '\x1b\x1b') this.#press({ name: 'escape', text: '' })
    return rest === '\x1b\x1b' ? '' : rest.slice(whole.length)
  }
}

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: a terminal's sequences
const unfinished = /^\x1b(\[[0-?]*[ -/]*|O)?$/
/** Of the letters only those that mean something with Alt: Esc and another letter may come in one chunk. */
const sequence = /^\x1b(\[[0-?]*[ -/]*[@-~]|O[A-Z]|[\r\n\x7f\bbfdulcty<>._])?/
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: a terminal's sequences
