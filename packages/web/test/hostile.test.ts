import type { Page } from 'playwright-core'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { hostileText } from './hostile-texts.ts'
import { testApp } from './open-app.ts'
import { box, eventually } from './page.ts'

const app = testApp()

/** `npm run test:hostile` has all; `npm test` a sample of them. */
const count = process.env.TURNBUCKLE_HOSTILE === 'full' ? 5000 : 200
const perPage = 100

/** Gives the page a conversation of hostile texts: as replies, questions, reasoning, arguments and results. */
async function openHostile(page: Page, id: string, first: number): Promise<void> {
  const nodes = Array.from({ length: perPage }, (_, i) => nodeOf(first + i, i))
  const title = hostileText(first)
  await page.route(`**/api/conversations/${id}`, async route => {
    const view = await (await route.fetch()).json()
    await route.fulfill({ json: { ...view, title, nodes: nodes.flat(), head: nodes.at(-1)?.at(-1)?.id } })
  })
  await page.goto(`${app.server.url}/c/${id}`)
  await box(page).waitFor()
}

function nodeOf(number: number, i: number) {
  const text = hostileText(number)
  const place = { turnId: 't', createdAt: 0 }
  const content = [
    { type: 'reasoning', text },
    { type: 'text', text },
    { type: 'call', id: `c${i}`, name: text.slice(0, 40), args: { command: text, path: text } },
  ]
  const result = { type: 'result', id: `c${i}`, name: 'x', status: 'error', value: text }
  return [
    {
      ...place,
      id: `u${i}`,
      parentId: i ? `r${i - 1}` : null,
      message: { id: `u${i}`, role: 'user', content: [{ type: 'text', text }] },
    },
    { ...place, id: `a${i}`, parentId: `u${i}`, message: { id: `a${i}`, role: 'assistant', content } },
    { ...place, id: `r${i}`, parentId: `a${i}`, message: { id: `r${i}`, role: 'tool', content: [result] } },
  ]
}

/** Resolves when all is drawn: every section, formula and diagram. */
const drawn = (page: Page) =>
  page.waitForFunction(
    wanted =>
      document.querySelectorAll('.message.assistant').length === wanted &&
      [...document.querySelectorAll('.diagram')].every(one => one.querySelector('img, .diagram-problem')) &&
      [...document.querySelectorAll('.math')].every(one => one.querySelector('.katex')),
    perPage,
  )

const forbidden =
  'iframe, script, form, style, link, meta, base, object, embed, video, audio, svg image, svg use, [onerror], [onload], a[href^="javascript" i], a[href^="data" i]'

test(`${count} hostile texts run nothing and fetch nothing`, async () => {
  await app.serve({ model: scriptedModel(['Hi.']) })
  const { id } = (await app.server.call('POST', '/api/conversations', {})).body
  for (let first = 0; first < count; first += perPage) {
    const page = await app.page({ reducedMotion: 'reduce' })
    await openHostile(page, id, first)
    await drawn(page)
    await page.locator('details').evaluateAll(all => {
      for (const one of all) one.setAttribute('open', '')
    })
    await page.keyboard.press('Alt+t')
    await page.locator('.tree-node').first().waitFor()
    expect(await page.evaluate('window.pwned')).toBeUndefined()
    await page.keyboard.press('Alt+t')
    await drawn(page)
    await eventually(() => page.locator(`.column :is(${forbidden})`).count()).toBe(0)
    expect(await page.evaluate('window.pwned')).toBeUndefined()
    expect({ first, strays: app.strays, complaints: app.complaints }).toEqual({ first, strays: [], complaints: [] })
    await page.context().close()
  }
}, 1_800_000)
