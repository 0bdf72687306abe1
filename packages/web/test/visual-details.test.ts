import type { Locator, Page } from 'playwright-core'
import { tool } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { givenSettings } from './given-settings.ts'
import { testApp } from './open-app.ts'
import { add, callsAdd, done, eventually, say } from './page.ts'

const app = testApp()

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}
const boxOf = async (place: Locator): Promise<Box> =>
  (await place.boundingBox()) ?? { x: Number.NaN, y: Number.NaN, width: Number.NaN, height: Number.NaN }
const style = (place: Locator, name: string): Promise<string> =>
  place.evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name)
const phone = { viewport: { width: 360, height: 740 } }

/** A page of the settings in which a project has fixed the shell. */
async function openSettings(section: string, viewport = { width: 1280, height: 800 }): Promise<Page> {
  await app.serve({ model: scriptedModel([]), tools: [add] }, { settings: givenSettings() })
  const page = await app.page({ viewport })
  await page.goto(`${app.server.url}/settings/${section}`)
  return page
}

test('fields of one row stand in one line, with their labels and their text', async () => {
  const page = await openSettings('people')
  const fields = [page.getByLabel('Name'), page.getByLabel('Role'), page.getByLabel('Expires')]
  await page.getByLabel('Name').waitFor()
  const labels = await Promise.all(
    ['Name', 'Role', 'Expires'].map(name => boxOf(page.locator('label', { hasText: name }))),
  )
  const boxes = await Promise.all(fields.map(boxOf))
  for (const boxesOfRow of [labels, boxes])
    expect(new Set(boxesOfRow.map(({ y, height }) => `${Math.round(y)} ${Math.round(height)}`)).size).toBe(1)
  // The browser's own arrow leaves no room beside it, and moves the text.
  expect(await style(page.getByLabel('Role'), 'appearance')).toBe('none')
})

test('a list that the project fixes looks fixed, as a field does', async () => {
  const page = await openSettings('tools')
  const fixed = page.getByLabel(/^Commands/)
  await eventually(() => fixed.isEnabled()).toBe(false)
  expect(await style(fixed, 'border-top-style')).toBe('dashed')
  expect(await style(page.getByLabel(/^Files/), 'border-top-style')).toBe('solid')
})

test('a checkbox of the settings is a square that stands out, and not a field that is fixed', async () => {
  const page = await openSettings('middleware')
  await page.getByRole('button', { name: 'Add middleware' }).click()
  const checkbox = page.getByRole('checkbox', { name: 'Switched on' })
  const { width, height } = await boxOf(checkbox)
  expect([Math.round(width), Math.round(height)]).toEqual([16, 16])
  expect(await style(checkbox, 'border-top-style')).toBe('solid')
})

test('on a phone sections of the settings are scrolled away at the edge of the page, not inside it', async () => {
  const page = await openSettings('audit', phone.viewport)
  await page.locator('.settings-tab[aria-current]').waitFor()
  const row = await boxOf(page.locator('.settings-nav'))
  expect([row.x, row.width]).toEqual([0, 360])
  await page.goto(`${app.server.url}/settings/models`)
  const first = page.locator('.settings-tab').first()
  const heading = page.getByRole('heading', { level: 2 })
  await heading.waitFor()
  await eventually(async () => Math.round((await boxOf(first)).x - (await boxOf(heading)).x)).toBe(0)
})

test('the second line of a question begins under the words of the first, not under its mark', async () => {
  const name = 'add_all_of_the_numbers_of_the_harbour'
  const model = scriptedModel([{ calls: [{ name, args: { a: 2, b: 3 } }] }, 'Five.'])
  const page = await app.open({ model, tools: [{ ...add, name }], use: [approval()] }, phone)
  await say(page, 'add')
  const title = page.getByRole('heading', { name: /^May/ })
  await title.waitFor()
  const lefts = await title.evaluate(element => {
    const range = document.createRange()
    const texts = [...element.childNodes].filter(node => node.textContent?.trim())
    range.setStartBefore(texts[0] as Node)
    range.setEndAfter(texts.at(-1) as Node)
    return Array.from(range.getClientRects(), ({ left }) => left)
  })
  const mark = await boxOf(title.locator('.icon'))
  expect(Math.min(...lefts)).toBeGreaterThan(mark.x + mark.width)
})

test('on a phone no line of a command that is edited is half seen', async () => {
  const command = 'npm test -- --run packages/web/test/a-file-with-a-rather-long-name.test.ts'
  const model = scriptedModel([{ calls: [{ name: 'shell', args: { command } }] }, 'Ran.'])
  const shell = tool({ name: 'shell', run: () => 'ok' })
  const page = await app.open({ model, tools: [shell], use: [approval()] }, phone)
  await say(page, 'test it')
  await page.getByRole('button', { name: 'Edit the command' }).click()
  const hidden = await page.getByLabel('Command').evaluate(area => area.scrollHeight - area.clientHeight)
  expect(hidden).toBeLessThanOrEqual(0)
})

test('a checkbox is drawn by us, as a radio is: the browser’s own looks disabled on a dark page', async () => {
  const page = await app.open({ model: scriptedModel([]) }, { colorScheme: 'dark' })
  await page.evaluate(() =>
    document.querySelector('#stage')?.insertAdjacentHTML('beforeend', '<input type="checkbox">'),
  )
  const checkbox = page.getByRole('checkbox')
  expect(await style(checkbox, 'appearance')).toBe('none')
  const unchecked = await style(checkbox, 'background-color')
  await checkbox.check({ force: true })
  expect(await style(checkbox, 'background-color')).not.toBe(unchecked)
})

test.each([360, 1280])('at %d px a lost connection is told over no message', async width => {
  const page = await app.open({ model: scriptedModel(['Hi.']) }, { viewport: { width, height: 740 } })
  await say(page, 'words that begin the conversation')
  await done(page)
  await page.context().setOffline(true)
  await page.evaluate('sockets.forEach(socket => socket.close())')
  const banner = page.locator('.banner.warn')
  await banner.waitFor()
  await eventually(async () => {
    const [told, said] = [await boxOf(banner), await boxOf(page.locator('.bubble').first())]
    return said.y - told.y - told.height > 0
  }).toBe(true)
})

test('the menu’s button of a conversation stands over no half of a word', async () => {
  const usage = { inputTokens: 1, outputTokens: 1, cost: 0.25 }
  const page = await app.open({ model: scriptedModel([{ text: 'Hi.', usage }]) })
  await say(page, 'hello')
  await done(page)
  const cost = page.locator('.conversation .cost')
  await eventually(() => cost.isVisible()).toBe(true)
  await page.locator('.conversation').hover()
  await eventually(() => cost.isVisible()).toBe(false)
})

test('of a question that only others have to answer, the list does not say that it waits for me', async () => {
  const store = memoryStore()
  const use = [approval({ quorum: { needed: 2, of: ['ada', 'bob'] } })]
  const tokens = 'ada:a-token:owner,bob:b-token:member'
  const model = scriptedModel([callsAdd, 'Five.'])
  await app.serve({ model, store, tools: [add], use }, { token: undefined, tokens, store })
  const page = await app.page({}, 'a-token')
  await say(page, 'add')
  const waiting = page.locator('.conversation .waiting')
  await eventually(() => waiting.textContent()).toBe('Waits for you')
  // Whom it asks and how the vote stands is one paragraph above the question.
  expect(await page.locator('.request > .request-note').first().textContent()).toBe(
    'Asked of ada, bob. 0 of 2 have said yes. One no is enough. ',
  )
  await page.getByRole('button', { name: 'Allow' }).click()
  await eventually(() => waiting.textContent()).toBe('Waits for an answer')
})

test('notes of the inspector begin where its other lines do', async () => {
  const page = await app.open({ model: scriptedModel(['Hi.']) })
  await say(page, 'hello')
  await done(page)
  await page.keyboard.press('Alt+i')
  await page.getByRole('tab', { name: 'Who decided' }).click()
  const note = page.getByText('No hook steered this turn.')
  await note.waitFor()
  const textLeft = (place: Locator) =>
    place.evaluate(element => {
      const range = document.createRange()
      range.selectNodeContents(element)
      return Math.round(range.getBoundingClientRect().left)
    })
  expect(await textLeft(note)).toBe(await textLeft(page.locator('.outcome')))
})

test('while two branches are compared, nothing zooms the tree that they cover', async () => {
  const page = await app.open({ model: scriptedModel(['One.', 'Two.']) }, { reducedMotion: 'reduce' })
  await say(page, 'hello')
  await done(page)
  await page.getByRole('button', { name: 'Try again, as a new branch' }).click()
  await page.getByText('Two.').waitFor()
  await done(page)
  await page.keyboard.press('Alt+t')
  const zoom = page.getByRole('button', { name: 'Zoom in' })
  await page.getByRole('button', { name: 'Compare two branches' }).click()
  expect(await zoom.isEnabled()).toBe(true)
  for (const text of ['One.', 'Two.']) await page.locator('.tree-node', { hasText: text }).click()
  await page.getByLabel('Second branch').waitFor()
  expect(await zoom.isEnabled()).toBe(false)
  await page.getByRole('button', { name: 'Close the comparison' }).click()
  await eventually(() => zoom.isEnabled()).toBe(true)
})

test('small words do not run together: letters of text, buttons and tree are not rounded to pixels', async () => {
  const page = await app.open({ model: scriptedModel(['Hi.']) }, { reducedMotion: 'reduce' })
  await say(page, 'many small words')
  await done(page)
  await page.keyboard.press('Alt+t')
  for (const place of ['.conversation-title', '.tree-node', '.icon-button', '.tree-bar input'])
    expect(await style(page.locator(place).first(), 'text-rendering')).toBe('geometricprecision')
})

test('on a phone a table that fits is not scrolled; one that is scrolled keeps some words to a line', async () => {
  const fits = '| leg | miles | leave | arrive |\n|---|--:|---|---|\n| Chausey → St. Malo | 17 | 13:30 | 17:00 |'
  const words = 'The lock is open from two hours before high water to two hours after it'
  const wide = `| harbour | what to know | ${'depth | '.repeat(6)}\n|${'---|'.repeat(8)}\n| Chausey | ${words} | ${'3.8 m | '.repeat(6)}`
  const page = await app.open({ model: scriptedModel([`${fits}\n\nAnd:\n\n${wide}`]) }, phone)
  await say(page, 'go')
  await done(page)
  const tables = page.locator('.table-scroll')
  const overflows = (place: Locator) => place.evaluate(element => element.scrollWidth - element.clientWidth)
  expect(await overflows(tables.first())).toBe(0)
  expect(await overflows(tables.last())).toBeGreaterThan(0)
  const wordsOfALine = await page.getByRole('cell', { name: words }).evaluate(cell => {
    const { paddingTop, lineHeight } = getComputedStyle(cell)
    const { height } = cell.getBoundingClientRect()
    const lines = (height - 2 * Number.parseFloat(paddingTop)) / Number.parseFloat(lineHeight)
    return (cell.textContent ?? '').split(' ').length / lines
  })
  expect(wordsOfALine).toBeGreaterThan(1.5)
})
