import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const docs: string = join(import.meta.dirname, '../../../../docs')

/** Files whose address on the site is another: GitHub shows a README for its folder. */
export const rewrites: Readonly<Record<string, string>> = {
  'README.md': 'start.md',
  'decisions/README.md': 'decisions/index.md',
  'middleware/README.md': 'middleware/index.md',
}

/** The folder of the reference, which is generated when the site is built and not committed. */
export const apiFolder = 'api'

/** A page of docs/: its file, and its path on the site without `.md`. */
export interface Page {
  readonly file: string
  readonly path: string
}

/** Every page that is committed, in the order of their paths. */
export const allPages = (): Page[] =>
  readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.md') && !file.startsWith(`${apiFolder}/`))
    .map(file => ({ file, path: (rewrites[file] ?? file).replace(/\.md$/, '') }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))

export function pageAt(path: string): Page {
  const page = allPages().find(one => one.path === path)
  if (!page) throw new Error(`There is no page docs/${path}.md. The navigation names it.`)
  return page
}

/** The page as a reader gets it: without the comments that the tests run. */
export const textOfPage = ({ file }: Page): string =>
  readFileSync(join(docs, file), 'utf8').replace(/^<!--[\s\S]*?^-->\n/gm, '')

/** The first heading. */
export const titleOfPage = (page: Page): string => /^# (.+)$/m.exec(textOfPage(page))?.[1] ?? page.path

/** The first paragraph, as plain text on one line. */
export function gistOfPage(page: Page): string {
  const [, body = ''] = /^# .+\n+([\s\S]*)$/m.exec(textOfPage(page)) ?? []
  const [paragraph = ''] = body.split(/\n\s*\n/)
  return paragraph
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
}
