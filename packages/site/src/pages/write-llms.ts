import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { navigation } from './navigation.ts'
import { allPages, gistOfPage, pageAt, textOfPage, titleOfPage } from './read-pages.ts'

/** The list of pages for language models, each with its address as Markdown (llmstxt.org). */
export function llmsList(base: string): string {
  const groups = navigation.map(({ title, pages }) => {
    const lines = pages.map(pageAt).map(page => `- [${titleOfPage(page)}](${base}${page.path}.md): ${gistOfPage(page)}`)
    return `## ${title}\n\n${lines.join('\n')}\n`
  })
  const summary =
    'A TypeScript agent runtime. The chat and tool loop is a pipeline of stages; every stage has the hook points before, wrap and after; ' +
    'a hook steers by returning a directive, and one resolver decides.'
  return `# Turnbuckle\n\n> ${summary}\n\nAll pages in one file: ${base}llms-full.txt\n\n${groups.join('\n')}`
}

/** Every page in one text, in the order of the navigation. */
export const llmsText = (): string =>
  navigation
    .flatMap(({ pages }) => pages.map(pageAt))
    .map(page => textOfPage(page).trim())
    .join('\n\n---\n\n')

/** Puts llms.txt, llms-full.txt and each page as Markdown beside the pages of the site. */
export function writeLlms(folder: string, base: string): void {
  writeFileSync(join(folder, 'llms.txt'), llmsList(base))
  writeFileSync(join(folder, 'llms-full.txt'), `${llmsText()}\n`)
  for (const page of allPages()) {
    const file = join(folder, `${page.path}.md`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, textOfPage(page))
  }
}
