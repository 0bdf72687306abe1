/** What can be read already of JSON text that is still being written: what is open is closed, what is half said is left out. */
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
  /** The text with everything closed. */
  readonly whole: string
  /** The same without the member that is being written. */
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

/** Where the string that begins at `from` is closed. */
function stringEnd(text: string, from: number): number | undefined {
  for (let i = from + 1; i < text.length; i++) {
    const sign = text.charAt(i)
    if (sign === '\\') i++
    else if (sign === '"') return i
  }
  return undefined
}

const withoutHalfEscape = (text: string): string => text.replace(/(?<!\\)((?:\\\\)*)\\(?:u[\da-fA-F]{0,3})?$/, '$1')
