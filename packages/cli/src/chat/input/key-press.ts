/** A key press, or a whole paste. */
export interface KeyPress {
  readonly name:
    | 'text'
    | 'paste'
    | 'enter'
    | 'newline'
    | 'escape'
    | 'tab'
    | 'shift-tab'
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
    | 'alt'
    | 'kitty-offered'
    | 'unknown'
  /** The characters that were typed or pasted; for `ctrl` and `alt` the letter. */
  readonly text: string
}

/** `enter`, `ctrl-c`, `alt-b`: the name that tables of keys go by. */
export const keyName = ({ name, text }: KeyPress): string =>
  name === 'ctrl' || name === 'alt' ? `${name}-${text}` : name

const named: Readonly<Record<string, KeyPress['name']>> = {
  '[A': 'up',
  '[B': 'down',
  '[C': 'right',
  '[D': 'left',
  '[H': 'home',
  '[F': 'end',
  '[Z': 'shift-tab',
  '[1~': 'home',
  '[7~': 'home',
  '[4~': 'end',
  '[8~': 'end',
  '[3~': 'delete',
  '[5~': 'page-up',
  '[6~': 'page-down',
  '\r': 'alt-enter',
  '\n': 'alt-enter',
}

const [shift, alt, ctrl] = [1, 2, 4]

/** Keys that the kitty protocol tells by the number of their character. */
const numbered: Readonly<Record<number, KeyPress['name']>> = {
  9: 'tab',
  13: 'enter',
  27: 'escape',
  127: 'backspace',
  57414: 'enter',
}

/** The key of what follows an ESC: a sequence of xterm, of the kitty protocol, or a letter with Alt. */
export function readSequence(body: string): KeyPress {
  const plain = named[body.replace(/^O/, '[')]
  if (plain) return { name: plain, text: '' }
  if (/^[^[O]$/.test(body)) return { name: 'alt', text: /[\x7f\b]/.test(body) ? 'backspace' : body }
  if (/^\[\?\d*u$/.test(body)) return { name: 'kitty-offered', text: '' }
  const [, code, held = '1'] = /^\[(\d+)(?::\d*)*(?:;(\d+)(?::\d)?)?u$/.exec(body) ?? []
  if (code !== undefined) return numberedKey(Number(code), Number(held) - 1)
  const [, other, key] = /^\[27;(\d+);(\d+)~$/.exec(body) ?? []
  if (key !== undefined) return numberedKey(Number(key), Number(other) - 1)
  const [, first, modifiers, last = ''] = /^\[(\d+);(\d+)([A-Z~])$/.exec(body) ?? []
  return modifiedKey(named[last === '~' ? `[${first}~` : `[${last}`], Number(modifiers) - 1)
}

/** `held` is a sum of shift 1, alt 2, ctrl 4. */
function numberedKey(code: number, held: number): KeyPress {
  const name = numbered[code]
  if (name) return { name: heldKey(name, held) ?? name, text: held & (alt | ctrl) && name === 'backspace' ? name : '' }
  const isPrivate = code >= 57_344 && code <= 63_743
  if (code < 32 || code > 0x10ffff || isPrivate) return { name: 'unknown', text: '' }
  const text = String.fromCodePoint(code)
  if (held & ctrl) return { name: 'ctrl', text: text.toLowerCase() }
  return { name: held & alt ? 'alt' : 'text', text }
}

/** A key without a letter, with others held. */
function heldKey(name: KeyPress['name'], held: number): KeyPress['name'] | undefined {
  if (name === 'enter' && held & alt) return 'alt-enter'
  if (name === 'enter' && held & (shift | ctrl)) return 'newline'
  if (name === 'tab' && held & shift) return 'shift-tab'
  return name === 'backspace' && held & (alt | ctrl) ? 'alt' : undefined
}

function modifiedKey(name: KeyPress['name'] | undefined, held: number): KeyPress {
  if (held & (alt | ctrl) && (name === 'left' || name === 'right')) return { name: `word-${name}`, text: '' }
  return { name: name ?? 'unknown', text: '' }
}
