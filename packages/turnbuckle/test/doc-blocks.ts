import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One ```ts block of a page, with the setup comment in front of it. */
export interface DocBlock {
  /** Relative to the repository. */
  readonly page: string
  /** Where the block begins, from 1. */
  readonly line: number
  readonly code: string
}

/** A setup comment, if any, right before a fence of ts. */
const pattern =
  /(?:^<!-- setup\r?\n(?<setup>[\s\S]*?)^-->\s*)?^(?<indent> *)```ts\b[^\n]*\n(?<code>[\s\S]*?)^\k<indent>```/gm

export function docPages(root: string): string[] {
  const docs = join(root, 'docs')
  const files = existsSync(docs) ? readdirSync(docs, { recursive: true, encoding: 'utf8' }) : []
  const pages = files.filter(file => file.endsWith('.md')).map(file => join('docs', file))
  const readmes = ['.', ...readdirSync(join(root, 'packages')).map(name => join('packages', name))]
    .map(folder => join(folder, 'README.md'))
    .filter(file => existsSync(join(root, file)))
  return [...readmes, ...pages.sort()]
}

export function docBlocks(root: string, page: string): DocBlock[] {
  return readBlocks(page, readFileSync(join(root, page), 'utf8'))
}

export function readBlocks(page: string, text: string): DocBlock[] {
  return Array.from(text.matchAll(pattern), ({ index, groups, 0: whole }) => {
    const { setup = '', code = '' } = groups ?? {}
    const before = text.slice(0, index + whole.indexOf('```ts'))
    return { page, line: before.split('\n').length, code: `${setup}${code}` }
  })
}
