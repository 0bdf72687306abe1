import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One ```ts block of a page, with the setup comment in front of it and the check comment behind it. */
export interface DocBlock {
  /** Relative to the repository. */
  readonly page: string
  /** Where the block begins, from 1. */
  readonly line: number
  readonly code: string
  /** The part of `code` that a reader sees. */
  readonly shown: string
}

/**
 * A fence of ts that names no file: tutorial.test.ts has those that do. A setup comment, if any, is right before it, a check comment
 * right behind it.
 */
const pattern =
  /(?:^<!-- setup\r?\n(?<setup>[\s\S]*?)^-->\s*)?^(?<indent> *)```ts *\n(?<shown>[\s\S]*?)^\k<indent>```(?:\s*^<!-- check\r?\n(?<check>[\s\S]*?)^-->)?/gm

export function docPages(root: string): string[] {
  const docs = join(root, 'docs')
  const files = existsSync(docs) ? readdirSync(docs, { recursive: true, encoding: 'utf8' }) : []
  // `npm run docs` writes the reference into docs/api, which is not committed.
  const isWritten = (file: string) => file.endsWith('.md') && !file.startsWith('api/')
  const pages = files.filter(isWritten).map(file => join('docs', file))
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
    const { setup = '', shown = '', check = '' } = groups ?? {}
    const before = text.slice(0, index + whole.indexOf('```ts'))
    return { page, line: before.split('\n').length, code: `${setup}${shown}${check}`, shown }
  })
}
