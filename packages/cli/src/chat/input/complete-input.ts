import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Editor } from './editor.ts'

export interface Completion {
  readonly editor: Editor
  /** Candidates, where there are several. */
  readonly choices: readonly string[]
}

/** Completes a slash command at the beginning, or a file's path in the word before the cursor. */
export function completeInput(
  { text, cursor }: Editor,
  slashes: readonly string[],
  root: string,
): Completion | undefined {
  const before = text.slice(0, cursor)
  const word = /\S*$/.exec(before)?.[0] ?? ''
  const slash = before.startsWith('/') && before === word
  const mark = word.startsWith('@') ? '@' : ''
  const found = slash
    ? slashes.filter(name => name.startsWith(word))
    : paths(word.slice(mark.length), root).map(path => mark + path)
  if (!word || !found.length) return undefined
  const common = found.reduce(shared)
  const added = found.length === 1 && !common.endsWith('/') ? `${common} ` : common
  const start = cursor - word.length
  return {
    editor: { text: text.slice(0, start) + added + text.slice(cursor), cursor: start + added.length },
    choices: found.length > 1 ? found : [],
  }
}

function shared(a: string, b: string): string {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return a.slice(0, length)
}

function paths(begun: string, root: string): string[] {
  const folder = begun.endsWith('/') ? begun : begun.includes('/') ? `${dirname(begun)}/` : ''
  try {
    return readdirSync(join(root, folder), { withFileTypes: true })
      .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
      .map(entry => `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`)
      .filter(path => path.startsWith(begun))
      .sort()
      .slice(0, 50)
  } catch {
    return []
  }
}
