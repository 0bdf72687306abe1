/**
 * Parses the arguments of a call that are still being streamed: open strings, lists and objects are closed, a half-
 * written member is left out.
 */
export function partialJson(text: string): unknown {
  const { whole, before } = ends(text)
  return read(whole) ?? read(before) ?? {}
}

function read(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

interface Ends {
  /** The JSON text with every open string, list and object closed. */
  readonly whole: string
  /** The closed JSON text without the member that is being written. */
  readonly before: string
}

const closers: Readonly<Record<string, string>> = { '{': '}', '[': ']' }

function ends(text: string): Ends {
  let open = ''
  let before = ''
  for (let i = 0; i < text.length; i++) {
    const sign = text.charAt(i)
    const closer = closers[sign]
    if (sign === '"') {
      const end = stringEnd(text, i)
      if (end === undefined) return { whole: `${withoutHalfEscape(text)}"${open}`, before }
      i = end
    } else if (closer) {
      open = closer + open
      before = text.slice(0, i + 1) + open
    } else if (sign === '}' || sign === ']') open = open.slice(1)
    else if (sign === ',') before = text.slice(0, i) + open
  }
  return { whole: text + open, before }
}

/** Index of the quote that closes the string at `from`; `undefined` while the string is being written. */
function stringEnd(text: string, from: number): number | undefined {
  for (let i = from + 1; i < text.length; i++) {
    const sign = text.charAt(i)
    if (sign === '\\') i++
    else if (sign === '"') return i
  }
  return undefined
}

const withoutHalfEscape = (text: string): string => text.replace(/(?<!\\)((?:\\\\)*)\\(?:u[\da-fA-F]{0,3})?$/, '$1')
