import { type FileName, type Files, fileNames } from '../run/protocol.ts'

interface Hook {
  readonly by: string
  readonly at: string
}

/** The line (from 1) of a hook in a visitor's files: behind the name of its middleware, or where a ready-made one is called. */
export function hookLine(
  files: Files,
  { by, at }: Hook,
): { readonly file: FileName; readonly line: number } | undefined {
  for (const file of fileNames) {
    const text = files[file]
    const place = ownHook(text, by, at) ?? readyMade(text, by)
    if (place !== undefined) return { file, line: text.slice(0, place).split('\n').length }
  }
  return undefined
}

/** The hook's place behind `name: 'by'`, and before the next middleware begins. */
function ownHook(text: string, by: string, at: string): number | undefined {
  const name = [...text.matchAll(/name:\s*(['"`])(.*?)\1/g)].find(([, , found]) => found === by)
  if (!name) return undefined
  const start = name.index
  const next = text.indexOf('middleware({', start)
  const end = next < 0 ? text.length : next
  const found = new RegExp(`\\b${at}\\b\\s*[(:]`).exec(text.slice(start, end))
  return found ? start + found.index : undefined
}

/** `redact` and `continuation-cost` are calls of `redact(` and `continuation(`. */
function readyMade(text: string, by: string): number | undefined {
  const word = by.split('-')[0] ?? by
  const found = /^\w+$/.test(word) ? new RegExp(`\\b${word}\\(`).exec(text) : null
  return found?.index
}
