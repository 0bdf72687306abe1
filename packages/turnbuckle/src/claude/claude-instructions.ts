import { homedir } from 'node:os'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { readProjectFile } from '../tools/read-project-file.ts'
import { readFrontMatter } from './front-matter.ts'
import { markdownFiles } from './markdown-files.ts'

/** How far imports of imports are followed. */
const deepest = 4

/** The files of a project that Claude Code reads as instructions, for `agentsFile({ paths })`: the most general first. */
export const claudeInstructionFiles = (root: string): readonly string[] => [
  'CLAUDE.md',
  '.claude/CLAUDE.md',
  ...markdownFiles(join(root, '.claude', 'rules'), root)
    // Rules for some paths only would be read for all.
    .filter(({ text }) => readFrontMatter(text).fields.paths === undefined)
    .map(({ path }) => relative(root, path)),
  'CLAUDE.local.md',
]

/**
 * The text of an instruction file with its imports: `@docs/style.md` outside of code stands for that file. Files outside of the project are not
 * imported, and a file that `shown` has already is imported once.
 *
 * ```ts
 * agentsFile({ paths: ['CLAUDE.md'], read: path => readClaudeInstructions(root, path) })
 * ```
 */
export async function readClaudeInstructions(
  root: string,
  path: string,
  shown: Set<string> = new Set(),
): Promise<string | undefined> {
  const text = await readProjectFile(root, path)
  if (text === undefined) return undefined
  shown.add(resolve(root, path))
  const body = path.startsWith('.claude/rules/') ? readFrontMatter(text).body : text
  return importInto(root, path, body, shown, 0)
}

async function importInto(
  root: string,
  from: string,
  text: string,
  shown: Set<string>,
  depth: number,
): Promise<string> {
  // Code spans and fences are kept apart, so that what they show is not imported.
  const pieces = text.split(/(^(?:```|~~~)[\s\S]*?^(?:```|~~~)[^\n]*$|`[^`\n]*`)/m)
  let read = ''
  // One after the other: a file that two pieces name is imported by the first.
  for (const [i, piece] of pieces.entries()) read += i % 2 ? piece : await importPiece(root, from, piece, shown, depth)
  return read
}

async function importPiece(root: string, from: string, text: string, shown: Set<string>, depth: number) {
  const found = [...text.matchAll(/(^|\s)@((?:~\/|\.{0,2}\/)?[\w./~-]*[\w~-])/g)]
  let read = ''
  let at = 0
  for (const { 0: whole, 1: before = '', 2: named = '', index } of found) {
    const imported = depth < deepest ? await importFile(root, from, named, shown, depth) : undefined
    read += text.slice(at, index) + (imported === undefined ? whole : before + imported)
    at = index + whole.length
  }
  return read + text.slice(at)
}

/** Nothing where there is no such file in the project: then the words stay as they are. */
async function importFile(root: string, from: string, named: string, shown: Set<string>, depth: number) {
  const path = named.startsWith('~/') ? join(homedir(), named.slice(2)) : resolve(root, dirname(from), named)
  const inside = relative(root, path)
  if (inside.startsWith('..') || isAbsolute(inside) || inside === '') return undefined
  if (shown.has(path)) return ''
  const text = await readProjectFile(root, inside).catch(() => undefined)
  if (text === undefined) return undefined
  shown.add(path)
  return importInto(root, inside, text.trim(), shown, depth + 1)
}
