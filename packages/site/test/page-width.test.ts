import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { sharedChromium } from '../../turnbuckle/test/shared-chromium.ts'

const site = join(import.meta.dirname, '..')
const vitepress = join(site, '../../node_modules/vitepress/dist/client/theme-default/styles')
const styles = ['vars.css', 'base.css', 'components/vp-doc.css'].map(name =>
  readFileSync(join(vitepress, name), 'utf8'),
)
const theme = readFileSync(join(site, '.vitepress/theme/theme.css'), 'utf8')

let browser: Browser
beforeAll(async () => {
  browser = await sharedChromium()
})

const name = 'gen_ai.client.inference.usage.cache_read.input_tokens'
const cells = `<td><code>${name}</code></td>`.repeat(3)

test.each([
  { what: 'a wide table', html: `<table><tr>${cells}</tr></table>` },
  { what: 'a long name in a heading', html: `<h3>${name}</h3>` },
  { what: 'a long name in a text', html: `<p>Beside it <code>${name}</code>.</p>` },
])('a page of the site is as wide as a phone with $what', async ({ html }) => {
  const page = await browser.newPage({ viewport: { width: 360, height: 700 } })
  const head = `<meta name="viewport" content="width=device-width"><style>${[...styles, theme].join('\n')}</style>`
  await page.setContent(`<!doctype html><html lang="en"><head>${head}</head><main class="vp-doc">${html}</main></html>`)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  await page.close()
})
