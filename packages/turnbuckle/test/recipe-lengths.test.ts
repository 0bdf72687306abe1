import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './bundle-program.ts'
import { docBlocks } from './doc-blocks.ts'

const page = 'docs/recipes.md'
const lines = readFileSync(join(root, page), 'utf8').split('\n')
const blocks = docBlocks(root, page)

/** The block under a heading of the page. That it runs, and does what it says, is the business of docs.test.ts. */
function recipe(heading: string) {
  const from = lines.indexOf(`### ${heading}`) + 1
  return from ? blocks.find(({ line }) => line > from) : undefined
}

test.each([
  ['Block', 8],
  ['Retry, with withdrawal', 12],
  ['Redact', 15],
  ['A cost limit that asks', 10],
  ['A critic', 12],
  ['Rewind on failing tests', 10],
])('%s takes at most %i lines, imports included', (heading, most) => {
  const shown =
    recipe(heading)
      ?.shown.split('\n')
      .filter(line => line.trim()) ?? []
  expect(shown.length).toBeGreaterThan(2)
  expect(shown.length).toBeLessThanOrEqual(most)
  expect(shown.filter(line => line.length > 120)).toEqual([])
})
