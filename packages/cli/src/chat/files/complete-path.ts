import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface Completion {
  readonly text: string
  readonly cursor: number
  /** Candidates, where there are several. */
  readonly choices: readonly string[]
}

/** Completes a file's path in the word before the cursor. */
export function completePath(
  { text, cursor }: { readonly text: string; readonly cursor: number },
  root: string,
): Completion | undefined {
  const word = /\S*$/.exec(text.slice(0, cursor))?.[0] ?? ''
  const found = word ? paths(word, root) : []
  if (!found.length) return undefined
  const common = found.reduce(shared)
  const added = found.length === 1 && !common.endsWith('/') ? `${common} ` : common
  const start = cursor - word.length
  return {
    text: text.slice(0, start) + added + text.slice(cursor),
    cursor: start + added.length,
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
