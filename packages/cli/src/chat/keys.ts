/** One key press, or one paste. */
export interface Key {
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
    | 'word-left'
    | 'word-right'
    | 'alt-enter'
    | 'ctrl'
    | 'unknown'
  /** What was typed or pasted; for `ctrl` the letter. */
  readonly text: string
}

const pasteBegin = '\x1b[200~'
const pasteEnd = '\x1b[201~'

const sequences: Readonly<Record<string, Key['name']>> = {
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

const plain: Readonly<Record<string, Key['name']>> = {
  '\r': 'enter',
  '\n': 'newline',
  '\t': 'tab',
  '\x7f': 'backspace',
  '\b': 'backspace',
}

/**
 * Tells the keys in what a terminal sends. A chunk may hold several, and a paste may come in several chunks. An ESC with
 * nothing after it in the chunk is the key; two of them are two presses.
 */
export class KeyReader {
  #pasting: string | undefined

  read(chunk: string): readonly Key[] {
    const keys: Key[] = []
    let rest = chunk
    while (rest) rest = this.#pasting === undefined ? this.#key(rest, keys) : this.#paste(rest, keys)
    return keys
  }

  #paste(rest: string, keys: Key[]): string {
    const end = rest.indexOf(pasteEnd)
    this.#pasting += end < 0 ? rest : rest.slice(0, end)
    if (end < 0) return ''
    keys.push({ name: 'paste', text: (this.#pasting ?? '').replace(/\r\n?/g, '\n') })
    this.#pasting = undefined
    return rest.slice(end + pasteEnd.length)
  }

  #key(rest: string, keys: Key[]): string {
    if (rest.startsWith(pasteBegin)) {
      this.#pasting = ''
      return rest.slice(pasteBegin.length)
    }
    if (rest.startsWith('\x1b')) return sequence(rest, keys)
    const first = rest.charAt(0)
    const named = plain[first]
    if (named) keys.push({ name: named, text: first })
    else if (first < ' ') keys.push({ name: 'ctrl', text: String.fromCharCode(first.charCodeAt(0) + 96) })
    else {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: text is what has none
      const text = /^[^\x00-\x1f\x7f]+/.exec(rest)?.[0] ?? first
      keys.push({ name: 'text', text })
      return rest.slice(text.length)
    }
    return rest.slice(1)
  }
}

function sequence(rest: string, keys: Key[]): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal's sequences
  const [whole = '\x1b', body = ''] = /^\x1b(\[[0-?]*[ -/]*[@-~]|O[A-Z]|[\r\nbf])?/.exec(rest) ?? []
  keys.push({ name: body ? (sequences[body] ?? 'unknown') : 'escape', text: '' })
  return rest.slice(whole.length)
}
