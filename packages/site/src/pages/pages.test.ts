import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, test } from 'vitest'
import { scenarios } from '../scenarios/scenarios.ts'
import { ways } from '../ways.ts'
import { headingSlug } from './heading-slug.ts'
import { navigation } from './navigation.ts'
import { pathOutside } from './outside-links.ts'
import { allPages, docs, rewrites, textOfPage } from './read-pages.ts'
import { llmsList, llmsText } from './write-llms.ts'

const pages = allPages()

/** The anchors of a page: its headings outside of code, a second one of the same name with a number. */
function anchorsOf(text: string): Set<string> {
  const found = new Set<string>()
  for (const [, title = ''] of text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)) {
    const slug = headingSlug(title)
    let next = slug
    for (let i = 1; found.has(next); i++) next = `${slug}-${i}`
    found.add(next)
  }
  return found
}
const anchors = new Map(pages.map(page => [page.path, anchorsOf(textOfPage(page))]))

/** The path that a link of a page leads to on the site: folders have an index. */
function target(file: string, href: string): string {
  const path = posix.join(posix.dirname(file), href)
  const isFolder = href.endsWith('/')
  return isFolder ? `${path.replace(/\/$/, '')}/index` : (rewrites[path] ? `not ${path}` : path).replace(/\.md$/, '')
}

test('every link of a page leads to a page of the site and a heading on it, or out of docs/', () => {
  const dead = pages.flatMap(({ file, path }) => {
    const text = readFileSync(join(docs, file), 'utf8').replace(/^```[\s\S]*?^```/gm, '')
    return Array.from(text.matchAll(/(?<!!)\[[^\]]*\]\(([^)\s]+)\)/g), ([, href = '']) => href)
      .filter(href => !/^[a-z]+:/.test(href) && pathOutside(file, href) === undefined)
      .filter(href => {
        const [to = '', anchor] = href.split('#')
        const known = anchors.get(to ? target(file, to) : path)
        return !known || (anchor !== undefined && !known.has(anchor))
      })
      .map(href => `docs/${file}: ${href}`)
  })
  expect(dead).toEqual([])
})

test('the links of the playground lead to pages, and to headings on them', () => {
  const links = [...scenarios.map(({ page }) => page), ...ways.map(([page]) => page)]
  const dead = links.filter(link => {
    const [path = '', anchor] = link.split('#')
    return !anchors.has(path) || (anchor !== undefined && !anchors.get(path)?.has(anchor))
  })
  expect(dead).toEqual([])
})

test('every page is in the navigation once; decisions and the index of a folder have a place of their own', () => {
  const named = navigation.flatMap(group => group.pages)
  const others = pages.map(({ path }) => path).filter(path => !/^decisions\/|\/index$/.test(path))
  expect([...named].sort()).toEqual(others.sort())
})

test('llms.txt names every page of the navigation with its first words, llms-full.txt has their texts without what tests run', () => {
  const list = llmsList('/base/')
  expect(list).toContain('- [Writing hooks](/base/hooks.md): ')
  expect(list.match(/^- /gm)).toHaveLength(navigation.flatMap(group => group.pages).length)
  expect(llmsText()).toContain('# Writing hooks')
  expect(llmsText()).not.toContain('<!-- setup')
})
