import type { Locator, Page } from 'playwright-core'
import { approval, stepLimit } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { givenSettings } from './given-settings.ts'
import { testApp } from './open-app.ts'
import { add, callsAdd, done, eventually, say } from './page.ts'

const app = testApp()

const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
]

async function waiting(): Promise<Page> {
  const page = await app.open({
    model: scriptedModel([
      { text: 'Let me see.', calls: [{ name: 'add_all_of_them_up', args: { a: 2, b: 3 } }] },
      'Five.',
    ]),
    tools: [{ ...add, name: 'add_all_of_them_up' }],
    use: [approval()],
  })
  await say(page, 'add')
  await page.getByRole('button', { name: 'Allow' }).waitFor()
  return page
}

interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}
/** The lines of a text. */
const linesOf = (place: Locator): Promise<Box[]> =>
  place.evaluate(element => {
    const range = document.createRange()
    range.selectNodeContents(element)
    return Array.from(range.getClientRects(), ({ left, right, top, bottom }) => ({ left, right, top, bottom }))
  })
const touch = (a: Box, b: Box): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

test.each(sizes)(
  'at $width px a question has its title beside its deadline, and nothing is wider than the page',
  async size => {
    const page = await waiting()
    await page.setViewportSize(size)
    const title = await linesOf(page.locator('.request h2'))
    const deadline = await linesOf(page.locator('.deadline'))
    expect(title.filter(line => deadline.some(other => touch(line, other)))).toEqual([])
    await eventually(() => page.evaluate('document.scrollingElement.scrollWidth')).toBe(size.width)
  },
)

test('what one can do with a message is over no text and under nothing', async () => {
  const words = 'many words that fill the line '.repeat(6)
  const page = await app.open({ model: scriptedModel([{ ...callsAdd, text: words }, words]), tools: [add] })
  await say(page, 'add')
  await page.locator('.message.assistant').nth(1).getByText('many words').waitFor()
  await eventually(() => page.locator('.message-actions').count()).toBe(3)
  for (const actions of await page.locator('.message-actions').all()) {
    for (const button of await actions.getByRole('button').all()) await button.hover()
    const [box] = await actions.evaluate(element => [element.getBoundingClientRect().toJSON() as Box])
    for (const text of await page.locator('.prose, .said').all())
      expect((await linesOf(text)).filter(line => touch(line, box))).toEqual([])
  }
})

test.each(sizes.slice(0, 3))('at $width px the inspector stands beside the conversation', async size => {
  const page = await waiting()
  await page.setViewportSize(size)
  await page.keyboard.press('Alt+i')
  await page.locator('.timeline').waitFor()
  const card = await page.locator('.request').boundingBox()
  const inspector = await page.locator('.inspector').boundingBox()
  expect((card?.x ?? 0) + (card?.width ?? 0)).toBeLessThan(inspector?.x ?? 0)
  expect(card?.width).toBeGreaterThan(300)
})

test('the head of the tree stays in sight when the page gets narrower', async () => {
  const page = await app.open({ model: scriptedModel(['Hi.']) }, { reducedMotion: 'reduce' })
  await say(page, 'hello')
  await page.getByText('Hi.').waitFor()
  await page.keyboard.press('Alt+t')
  await page.locator('.tree-node[aria-current]').waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  await eventually(async () => {
    const { x = 1000, width = 0 } = (await page.locator('.tree-node[aria-current]').boundingBox()) ?? {}
    return x >= 0 && x + width <= 390
  }).toBe(true)
})

test('on a phone Alt+K brings out the list and goes to the search', async () => {
  const page = await app.open({ model: scriptedModel(['Hi.']) }, { viewport: { width: 390, height: 844 } })
  await page.keyboard.press('Alt+k')
  await eventually(() => page.evaluate('document.activeElement.id')).toBe('search')
  await page.getByRole('button', { name: 'Close the list' }).click({ position: { x: 380, y: 400 } })
  await eventually(() => page.evaluate('getComputedStyle(document.getElementById("search")).visibility')).toBe('hidden')
})

test('the list as a drawer takes the focus, Escape closes it and gives the focus back, and a wide page leaves none open', async () => {
  const page = await app.open({ model: scriptedModel(['Hi.']) }, { viewport: { width: 390, height: 844 } })
  await say(page, 'hello')
  await done(page)
  const focused = () =>
    page.evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent')
  const drawer = () => page.locator('.app').getAttribute('data-rail')
  await page.getByRole('button', { name: 'Conversations' }).press('Enter')
  await eventually(focused).toContain('New conversation')
  // The menu of a conversation takes an Escape for itself.
  await page
    .locator('.rail')
    .getByRole('button', { name: /Rename or delete/ })
    .press('Enter')
  await page.getByRole('menuitem', { name: 'Rename' }).waitFor()
  await page.keyboard.press('Escape')
  await eventually(focused).toContain('Rename or delete')
  expect(await drawer()).toBe('true')
  await page.keyboard.press('Escape')
  await eventually(drawer).toBe('false')
  await eventually(focused).toBe('Conversations')
  await page.getByRole('button', { name: 'Conversations' }).press('Enter')
  await eventually(drawer).toBe('true')
  await page.setViewportSize({ width: 1280, height: 800 })
  await eventually(drawer).toBe('false')
})

test('colours follow the system until one is chosen, and the choice is kept', async () => {
  const page = await app.open({ model: scriptedModel([]) }, { colorScheme: 'dark' })
  const paper = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
  const [dark, light] = ['rgb(16, 24, 26)', 'rgb(245, 241, 232)']
  await eventually(() => paper()).toBe(dark)
  await page.emulateMedia({ colorScheme: 'light' })
  await eventually(() => paper()).toBe(light)
  await page.getByRole('button', { name: 'Colours: system. Change' }).click()
  await page.getByRole('button', { name: 'Colours: light. Change' }).click()
  await eventually(() => paper()).toBe(dark)
  await page.reload()
  await page.getByRole('button', { name: 'Colours: dark. Change' }).waitFor()
  await eventually(() => paper()).toBe(dark)
})

test('on a phone nothing is wider than the screen, and the list slides in and out', async () => {
  const wide = `\`\`\`\n${'wide '.repeat(100)}\n\`\`\`\n\n|${'a|'.repeat(30)}\n|${'-|'.repeat(30)}\n|${'b|'.repeat(30)}\n\n${'x'.repeat(500)}`
  const calls = [{ name: 'add', args: { a: 2, b: 3, note: 'y'.repeat(300) } }]
  const page = await app.open(
    { model: scriptedModel([{ text: wide, calls }, 'Done.']), tools: [add], use: [approval()] },
    { viewport: { width: 360, height: 700 }, hasTouch: true },
  )
  const overflow = () =>
    page.evaluate(
      'document.documentElement.scrollWidth - innerWidth + document.querySelector("#stage").scrollWidth - innerWidth',
    )
  await eventually(() => overflow()).toBe(0)
  await say(page, 'z'.repeat(300))
  await page.getByRole('button', { name: 'Allow' }).waitFor()
  await eventually(() => overflow()).toBe(0)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('Done.').waitFor()
  await page.locator('.tool summary').click()
  await eventually(() => overflow()).toBe(0)
  await page.getByRole('button', { name: /^Conversations/ }).click()
  await page.getByRole('button', { name: 'New conversation' }).click()
  await page.getByText('What shall we turn to?').waitFor()
  await eventually(() => page.getByRole('button', { name: 'New conversation' }).isVisible()).toBe(false)
  await page.goBack()
  await page.getByText('Done.').waitFor()
  await page.getByRole('button', { name: /Show the tree/ }).click()
  await page.locator('.tree-node').first().waitFor()
  await eventually(() => overflow()).toBe(0)
  await page.getByRole('button', { name: /Inspector/ }).click()
  await page.locator('.timeline').waitFor()
  await eventually(() => overflow()).toBe(0)
})

/** Buttons, links and fields on the page that are smaller than 40 px for a finger. Links inside a line of text are as high as the line. */
const tooSmall = (page: Page, where: string): Promise<string[]> =>
  page.evaluate(view => {
    const all = document.querySelectorAll(
      'a[href], button, select, textarea, summary, input, [role="switch"], [role="tab"]',
    )
    return Array.from(all).flatMap(element => {
      // A radio or a checkbox is hit by its label; the skip link is there for keyboards.
      const target = (element.matches('input[type=radio], input[type=checkbox]') && element.closest('label')) || element
      const box = target.getBoundingClientRect()
      // The reference of a footnote is hit around it too.
      const around = element.matches('.note-reference')
        ? -2 * Number.parseFloat(getComputedStyle(element, '::after').top)
        : 0
      const [width, height] = [box.width + around, box.height + around]
      const style = getComputedStyle(target)
      const isOff = !target.checkVisibility({ visibilityProperty: true }) || width * height < 4
      if (isOff || element.matches('.skip-link, .tree-node') || style.display === 'inline') return []
      const name = element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40)
      return width < 39.5 || height < 39.5 ? [`${view}: ${name} ${width.toFixed(0)} × ${height.toFixed(0)}`] : []
    })
  }, where)

test('for fingers a step that only called a tool has no row of buttons of its own', async () => {
  const model = scriptedModel([{ calls: callsAdd.calls }, 'Five.'])
  const touch = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const page = await app.open({ model, tools: [add] }, touch)
  await say(page, 'add')
  await page.getByText('Five.').waitFor()
  await done(page)
  await eventually(() => page.getByRole('button', { name: 'Try again, as a new branch' }).count()).toBe(1)
  const step = await page.locator('.message.assistant').first().boundingBox()
  expect(step?.height).toBeLessThan(80)
})

test('for fingers every target is at least 40 px', async () => {
  const calls = [{ name: 'add', args: { a: 2, b: 3 } }]
  const error = new Error('The provider does not answer.')
  await app.serve(
    {
      model: scriptedModel([
        { text: 'Let me see.', reasoning: 'Hm.', calls },
        'Five.',
        'Six.[^1]\n\n[^1]: A note.',
        { error },
      ]),
      tools: [add],
      use: [approval(), stepLimit({ max: 20 })],
    },
    { settings: givenSettings() },
  )
  const page = await app.page({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const found = [...(await tooSmall(page, 'welcome'))]
  await say(page, 'add')
  await page.getByRole('button', { name: 'Allow' }).waitFor()
  found.push(...(await tooSmall(page, 'question')))
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('Five.').waitFor()
  await done(page)
  await page.getByRole('button', { name: 'Try again, as a new branch' }).last().click()
  await page.getByText('Six.').waitFor()
  await done(page)
  await say(page, 'fail')
  await page.getByText('The provider does not answer.').waitFor()
  found.push(...(await tooSmall(page, 'chat')))
  await page.getByRole('button', { name: /^Conversations/ }).click()
  await page.getByRole('button', { name: 'New conversation' }).waitFor()
  found.push(...(await tooSmall(page, 'list')))
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  for (const section of ['Models and keys', 'Tools', 'MCP servers', 'Middleware and hooks', 'People and tokens']) {
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: section }).click()
    await page.getByRole('heading', { name: section, level: 2 }).waitFor()
    await page.getByText('Loading …').waitFor({ state: 'detached' })
    await page.evaluate('for (const details of document.querySelectorAll("details")) details.open = true')
    found.push(...(await tooSmall(page, section)))
  }
  await page.getByRole('button', { name: 'Back to the chat' }).click()
  await page.getByRole('button', { name: /Show the tree/ }).click()
  await page.locator('.tree-node').first().waitFor()
  found.push(...(await tooSmall(page, 'tree')))
  await page.getByRole('button', { name: 'Hide' }).click()
  await page.getByRole('button', { name: 'Hide the subtree' }).click()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  found.push(...(await tooSmall(page, 'a message is hidden')))
  await page.getByRole('button', { name: /Inspector/ }).click()
  await page.locator('.timeline').waitFor()
  for (const tab of ['Middleware', 'Permissions', 'Who decided', 'Timeline']) {
    await page.getByRole('tab', { name: tab }).click()
    found.push(...(await tooSmall(page, tab)))
  }
  await page.getByRole('tab', { name: 'Middleware' }).click()
  const approvalSwitch = page.getByRole('switch', { name: 'approval is on' })
  // What is drawn of a switch is smaller than the finger's target, on as well as off.
  expect(await approvalSwitch.evaluate(one => getComputedStyle(one).backgroundClip)).toBe('padding-box')
  await approvalSwitch.click()
  await page.getByRole('button', { name: 'Off in this conversation' }).click()
  await page.getByRole('button', { name: 'Close the inspector' }).click()
  await page.locator('.guard-strip').waitFor()
  found.push(...(await tooSmall(page, 'a guard is off')))
  expect([...new Set(found)]).toEqual([])
})

test('on a 4K screen letters, column, icons and tree grow; a line keeps its letters; a low wide screen keeps its size', async () => {
  const diagram = '```mermaid\ngraph TD\n  A --> B\n```'
  const page = await app.open({
    model: scriptedModel([`${'Many words that fill the line. '.repeat(40)}\n\n${diagram}`]),
  })
  await say(page, 'go')
  await done(page)
  const sizes = () =>
    page.evaluate(() => {
      const [column, prose, icon] = ['.column', '.prose p', '.header-actions .icon'].map(name =>
        document.querySelector(name),
      )
      const letter = Number.parseFloat(prose ? getComputedStyle(prose).fontSize : '0')
      const width = column?.clientWidth ?? 0
      return { letter, share: width / innerWidth, line: width / letter, icon: icon?.clientWidth ?? 0 }
    })
  const usual = await sizes()
  await page.setViewportSize({ width: 3440, height: 1300 })
  expect((await sizes()).letter).toBe(usual.letter)
  await page.setViewportSize({ width: 3840, height: 2160 })
  const large = await sizes()
  expect(large.letter / usual.letter).toBeCloseTo(1.75, 1)
  expect(large.icon / usual.icon).toBeCloseTo(1.75, 1)
  expect(large.line).toBeCloseTo(usual.line, 0)
  expect(large.share).toBeGreaterThan(0.3)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(3840)
  const drawn = page.getByRole('img', { name: /^Diagram/ })
  const growth = () => drawn.evaluate((image: HTMLImageElement) => image.clientWidth / image.naturalWidth)
  await eventually(growth).toBeCloseTo(1.75, 1)
  await page.keyboard.press('Alt+t')
  const node = page.locator('.tree-node').first()
  await node.waitFor()
  await eventually(async () => ((await node.boundingBox())?.width ?? 0) / 208).toBeGreaterThan(1.2)
  expect(await node.evaluate(one => one.scrollHeight <= one.clientHeight)).toBe(true)
})

test('the audit list shows all of its columns at every width', async () => {
  const settings = givenSettings()
  await app.serve({ model: scriptedModel([]) }, { settings })
  const page = await app.page()
  const entry = { act: 'settings.changed', decision: 'allow', what: 'shell(npm test -- --reporter=dot packages/**)' }
  const entries = [0, 1, 2].map(i => ({ id: `${i}`, at: i * 1e9, by: 'somebody.else@example.com', ...entry }))
  await page.route('**/api/audit*', route => route.fulfill({ json: { entries } }))
  await page.goto(`${app.server.url}/settings/audit`)
  const table = page.getByRole('region', { name: 'Audit list' })
  await table.waitFor()
  for (const width of [360, 768, 1280, 3840]) {
    await page.setViewportSize({ width, height: 900 })
    await eventually(() => table.evaluate(one => one.scrollWidth - one.clientWidth)).toBe(0)
    await eventually(() => table.evaluate(one => one.scrollHeight - one.clientHeight)).toBe(0)
  }
})

test.each([
  { width: 360, height: 700 },
  { width: 3840, height: 2160 },
])('at $width px a tree that is fitted ends above the bar below it', async viewport => {
  const model = scriptedModel([
    { calls: Array.from({ length: 12 }, (_, a) => ({ name: 'add', args: { a, b: 2 } })) },
    'End.',
  ])
  const page = await app.open({ model, tools: [add] }, { viewport, reducedMotion: 'reduce' })
  await say(page, 'go')
  await page.getByText('End.').waitFor()
  await done(page)
  await page.keyboard.press('Alt+t')
  await page.getByRole('button', { name: 'Fit' }).click()
  const end = page.locator('.tree-node', { hasText: 'End.' })
  const bar = page.locator('.selected')
  const room = async () => {
    const [one, below] = [await end.boundingBox(), await bar.boundingBox()]
    return one && below ? below.y - one.y - one.height : -1
  }
  await eventually(room).toBeGreaterThan(0)
})
