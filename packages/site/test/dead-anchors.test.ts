import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { deadAnchors } from '../../../scripts/dead-anchors.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dead-anchors-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const page = (path: string, ...links: readonly string[]) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  const text = links.map(link => `<a class="x" href="${link}">x</a>`).join('\n')
  writeFileSync(join(folder, path), `<h2 id="top">Top</h2>\n${text}`)
}

test('a link leads to a page and a place on it, from the page or from the folder of the site', () => {
  page('index.html', '/docs/api/mcp.html#top', '#top', 'api/', 'https://example.org/none#x', '/docs/llms.txt')
  page('api/index.html', '../index.html#top', 'mcp.html#')
  page('api/mcp.html', '/docs/')
  expect(deadAnchors(folder, '/docs/')).toEqual([])
})

test('one that does not is named with its page', () => {
  page('index.html', '#mcpprompt-1', '/api/none.html', 'api/mcp.html#bottom')
  page('api/mcp.html')
  expect(deadAnchors(folder)).toEqual([
    'index.html: #mcpprompt-1',
    'index.html: /api/none.html',
    'index.html: api/mcp.html#bottom',
  ])
})
