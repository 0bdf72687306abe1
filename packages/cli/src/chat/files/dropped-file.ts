import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The path of a file that was dropped into the terminal: a whole path alone, quoted, escaped, or as an address. */
export function droppedFile(pasted: string): string | undefined {
  const text = pasted.trim()
  if (!text || text.includes('\n') || !/^(['"]?[/~]|file:|['"]?[A-Z]:\\)/i.test(text)) return undefined
  const path = pathOf(text)
  try {
    return path && statSync(path).isFile() ? path : undefined
  } catch {
    return undefined
  }
}

function pathOf(text: string): string | undefined {
  if (text.startsWith('file:')) return URL.canParse(text) ? fileURLToPath(text) : undefined
  const [, , quoted] = /^(['"])(.*)\1$/.exec(text) ?? []
  return quoted ?? text.replace(/\\(.)/g, '$1')
}
