import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { type DocBlock, docBlocks, docPages, readBlocks } from './doc-blocks.ts'

// Every ```ts block of the README.md files and docs/ is run by itself, between the `<!-- setup … -->` comment in front of it and the
// `<!-- check … -->` comment behind it.

const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = mkdtempSync(fileURLToPath(new URL('.docs-', import.meta.url)))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const pages = docPages(root)
const blocks = pages.flatMap(page => docBlocks(root, page))

/** As a module of its own, so that imports mean what they mean to a user. */
function write({ page, line, code }: DocBlock): string {
  const file = join(folder, `${page.replace(/\W+/g, '-')}-${line}.ts`)
  writeFileSync(file, `${code}\nexport {}\n`)
  return file
}
const files = new Map(blocks.map(block => [write(block), block]))

test('documentation has examples', () => {
  expect(blocks.length > 0 || pages.length === 0).toBe(true)
})

describe('every example runs', () => {
  for (const [file, { page, line }] of files)
    test(`${page}:${line}`, async () => {
      // What an example prints is for its reader.
      const quiet = (['log', 'table', 'error'] as const).map(name => vi.spyOn(console, name).mockReturnValue())
      try {
        await import(file)
      } finally {
        for (const spy of quiet) spy.mockRestore()
      }
    })
})

test('every example has the right types', () => {
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config.config, include: [] }, ts.sys, root)
  const program = ts.createProgram([...files.keys()], {
    ...options,
    isolatedDeclarations: false,
    declaration: false,
    // As strict as most users are, not as we are.
    noUncheckedIndexedAccess: false,
    exactOptionalPropertyTypes: false,
    noUnusedLocals: false,
    noUnusedParameters: false,
  })
  const problems = [...files].flatMap(([file, { page, line }]) => {
    const source = program.getSourceFile(file)
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText }) => `${page}:${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    )
  })
  expect(problems).toEqual([])
})

test('every link between pages leads to a file, and to a heading in it', () => {
  const headings = (path: string) =>
    Array.from(readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm), ([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    )
  const dead = pages.flatMap(page =>
    Array.from(readFileSync(join(root, page), 'utf8').matchAll(/\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)/g)).flatMap(
      ([link, to = '', anchor = '']) => {
        const path = to ? join(root, dirname(page), to) : join(root, page)
        return existsSync(path) && (!anchor || headings(path).includes(anchor)) ? [] : [`${page}: ${link}`]
      },
    ),
  )
  expect(dead).toEqual([])
})

test('the tests that the security page names are there', () => {
  const page = readFileSync(join(root, 'docs/security.md'), 'utf8')
  const named = [...page.matchAll(/`((?:turnbuckle|server|cli|web)\/[\w/.-]+)`/g)].map(([, path]) => `packages/${path}`)
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter(path => !existsSync(join(root, path)))).toEqual([])
})

test('a block is found with its setup, its check and its line; other languages are not', () => {
  const page = [
    '# Page',
    '',
    '<!-- setup',
    'const a = 1',
    '-->',
    '```ts',
    'a + 1',
    '```',
    '',
    '<!-- check',
    'a + 2',
    '-->',
    '',
    '```sh',
    'ls',
    '```',
  ].join('\n')
  expect(readBlocks('x.md', page)).toEqual([
    { page: 'x.md', line: 6, code: 'const a = 1\na + 1\na + 2\n', shown: 'a + 1\n' },
  ])
})
