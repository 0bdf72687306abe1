import type { Page } from 'playwright-core'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { testApp } from './open-app.ts'
import { add, box, callsAdd, done, eventually, say, steppedModel } from './page.ts'
import { violations } from './violations.ts'

const app = testApp()

/** The tree has moved to where one is, over the bar below: a click would miss what still moves. */
async function untilAtHead(page: Page): Promise<void> {
  const seen: (string | null)[] = []
  const isAtRest = async () => {
    seen.push(await page.locator('.react-flow__viewport').getAttribute('style'))
    return seen.length > 1 && seen.at(-1) === seen.at(-2) && isOverBar(page)
  }
  await eventually(isAtRest).toBe(true)
}
const isOverBar = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const [node, tree, bar] = ['.tree-node[aria-current]', '.react-flow', '.selected'].map(name =>
      document.querySelector(name)?.getBoundingClientRect(),
    )
    if (!node || !tree) return false
    return node.left >= tree.left && node.right <= tree.right && node.bottom <= (bar ?? tree).bottom
  })

/** The words of a compared branch that are marked on the page. */
const markedWords = (page: Page, branch: 'first' | 'second'): Promise<string[]> =>
  page.evaluate(name => [...(CSS.highlights.get(name) ?? [])].map(String), `words-of-${branch}`)

/** The sentences about a compared branch's words that only screen readers have. */
const toldWords = (page: Page, branch: 'First' | 'Second'): Promise<string[]> =>
  page.getByLabel(`${branch} branch`).locator('p.visually-hidden').allTextContents()

test('the tree shows branches and the head; a click goes there; two are compared; a subtree is hidden', async () => {
  const model = scriptedModel([callsAdd, 'Left end.', 'Right end.'])
  const page = await app.open({ model, tools: [add] }, { reducedMotion: 'reduce' })
  await say(page, 'go left')
  await page.getByText('Left end.').waitFor()
  await page.getByRole('button', { name: /Edit and send again/ }).click()
  await page.getByLabel('Edit your message').fill('go right')
  await page.keyboard.press('Enter')
  await page.getByText('Right end.').waitFor()
  await page.keyboard.press('Alt+t')
  const node = (text: string) => page.locator('.tree-node', { hasText: text })
  await node('Right end.').waitFor()
  await eventually(() => page.locator('.tree-node').count()).toBe(6)
  await eventually(() => node('add → ok').getAttribute('data-role')).toBe('tool')
  await eventually(() => page.locator('.tree-node[aria-current]').textContent()).toContain('Right end.')
  await page.getByLabel('Find in this tree').fill('left end')
  await page.getByText('1 found').waitFor()
  await eventually(() => node('Right end.').getAttribute('data-dim')).toBe('true')
  await page.getByLabel('Find in this tree').fill('')
  await untilAtHead(page)
  await node('Left end.').click()
  await page.locator('.tree-node[aria-current]', { hasText: 'Left end.' }).waitFor()
  await untilAtHead(page)
  await page.getByRole('button', { name: 'Compare two branches' }).click()
  await node('Left end.').click()
  await page.locator('.tree-node[data-picked="true"]', { hasText: 'Left end.' }).waitFor()
  await node('Right end.').click()
  await page.getByLabel('First branch').getByText('Left end.').waitFor()
  await page.getByLabel('Second branch').getByText('Right end.').waitFor()
  await page.getByRole('button', { name: 'Close the comparison' }).click()
  await page.getByRole('button', { name: 'Compare two branches' }).click()
  await page.getByRole('button', { name: 'Hide' }).click()
  await page.getByRole('button', { name: 'Hide the subtree' }).click()
  await eventually(() => page.locator('.tree-node').count()).toBe(5)
  await page.getByRole('button', { name: 'Go on from here' }).click()
  await box(page).waitFor()
  expect(app.complaints).toEqual([])
})

test('what a branch has cost grows while its reply is written, as an estimate until the model has told it', async () => {
  const stepped = steppedModel()
  const usage = { inputTokens: 1000, outputTokens: 100, cost: 0.02 }
  const model = { ...stepped.model, price: { input: 10, output: 100 } }
  const page = await app.open({ model }, { reducedMotion: 'reduce' })
  const spent = page.locator('.tree-spent')
  await say(page, 'one')
  stepped.say('First.')
  await page.keyboard.press('Alt+t')
  await eventually(() => spent.allTextContents()).toEqual([expect.stringMatching(/^at least \$0\.00\d\d$/)])
  // It is whole, beside whose message it is and that it runs.
  const isWhole = await spent.evaluate(element => {
    const [own, node] = [element, element.closest('.tree-node')].map(one => one?.getBoundingClientRect())
    return element.scrollWidth <= element.clientWidth && own && node && own.bottom <= node.bottom
  })
  expect(isWhole).toBe(true)
  await page.locator('.tree-node', { hasText: /You.*running/ }).waitFor()
  stepped.say({ type: 'usage', ...usage })
  stepped.end()
  await eventually(() => spent.allTextContents()).toEqual(['$0.02'])
  await page.keyboard.press('Alt+t')
  await say(page, 'two')
  stepped.say('x'.repeat(4000))
  await page.keyboard.press('Alt+t')
  // The first call's 1,100 tokens and a few more at $10 a million, and 1,000 written at $100.
  await eventually(() => spent.allTextContents()).toEqual(['about $0.13'])
  stepped.say('x'.repeat(4000))
  await eventually(() => spent.allTextContents()).toEqual(['about $0.23'])
  stepped.say({ type: 'usage', ...usage, cost: 0.22 })
  stepped.end()
  await eventually(() => spent.allTextContents()).toEqual(['$0.24'])
  expect(app.complaints).toEqual([])
})

test('the tree previews, maps, counts and leads back; two branches are told apart word by word', async () => {
  const usage = { inputTokens: 1000, outputTokens: 200, cost: 0.25 }
  const model = scriptedModel([
    { text: `By **sea** it takes two days. ${'Very slowly. '.repeat(20)}`, usage },
    { text: 'By train it takes two hours.', usage },
    { text: 'At nine.', usage },
  ])
  const page = await app.open({ model }, { reducedMotion: 'reduce' })
  await say(page, 'go by sea')
  await page.getByText('it takes two days').waitFor()
  await page.getByRole('button', { name: /Edit and send again/ }).click()
  await page.getByLabel('Edit your message').fill('go by train')
  await page.keyboard.press('Enter')
  await page.getByText('it takes two hours').waitFor()
  await page.keyboard.press('Alt+t')
  const node = (text: string) => page.locator('.tree-node', { hasText: text })
  await node('By sea it').hover()
  const preview = page.getByRole('tooltip')
  await preview.locator('strong', { hasText: 'sea' }).waitFor()
  await eventually(() => preview.textContent()).toContain('1.0k in · 200 out · $0.25')
  await page.keyboard.press('Escape')
  await preview.waitFor({ state: 'detached' })
  await eventually(() => page.locator('.tree-spent').allTextContents()).toEqual(['$0.25', '$0.25'])
  const place = () => page.locator('.react-flow__viewport').getAttribute('style')
  const before = await place()
  await page.getByRole('img', { name: 'Map of the tree: 4 messages' }).click({ position: { x: 8, y: 100 } })
  await eventually(place).not.toBe(before)
  await page.getByRole('button', { name: 'Fit' }).click()
  await node('By sea it').click()
  await page.locator('.tree-node[aria-current]', { hasText: 'By sea it' }).waitFor()
  await page.getByRole('button', { name: 'Back to where I was' }).click()
  await page.locator('.tree-node[aria-current]', { hasText: 'By train' }).waitFor()
  await eventually(() => page.getByRole('button', { name: 'Back to where I was' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Go on from here' }).click()
  await say(page, 'when?')
  await page.getByText('At nine.').waitFor()
  await page.keyboard.press('Alt+t')
  await node('At nine.').waitFor()
  await eventually(() => page.locator('.tree-spent').allTextContents()).toEqual(['$0.25', '$0.50'])
  await page.getByRole('button', { name: 'Compare two branches' }).click()
  await node('By sea it').click()
  await node('By train it').click()
  await page.getByRole('button', { name: 'Word by word' }).click()
  await eventually(async () => (await markedWords(page, 'first')).slice(0, 2)).toEqual(['sea', 'sea'])
  expect((await markedWords(page, 'second')).filter(word => word === 'train')).toHaveLength(2)
  expect(await page.getByLabel('First branch').locator('strong').textContent()).toBe('sea')
  // Who does not see the marks is told the words behind each message.
  await page.getByRole('status').getByText('Behind each message is told').waitFor()
  expect(await toldWords(page, 'First')).toEqual([
    'Only in this branch: “sea”.',
    expect.stringMatching(/^Only in this branch: “sea”, “days/),
  ])
  expect(app.complaints).toEqual([])
})

test('word by word an answer is held against its counterpart, though one branch called a tool before it', async () => {
  const model = scriptedModel([callsAdd, 'The sum of both is five.', 'The sum of both is about five.'])
  const page = await app.open({ model, tools: [add] }, { reducedMotion: 'reduce' })
  await say(page, 'add')
  await page.getByText('is five.').waitFor()
  await page.getByRole('button', { name: 'Try again, as a new branch' }).last().click()
  await page.getByText('about five.').waitFor()
  await page.keyboard.press('Alt+t')
  await untilAtHead(page)
  await page.getByRole('button', { name: 'Compare two branches' }).click()
  await page.locator('.tree-node', { hasText: 'is five.' }).click()
  await page.locator('.tree-node', { hasText: 'about five.' }).click()
  await page.getByRole('button', { name: 'Word by word' }).click()
  await eventually(() => markedWords(page, 'first')).toEqual(['Let me see.'])
  await eventually(() => markedWords(page, 'second')).toEqual(['about'])
  await eventually(() => toldWords(page, 'First')).toEqual(['The other branch has no message like this.'])
  await eventually(() => toldWords(page, 'Second')).toEqual(['Only in this branch: “about”.'])
})

test('word by word Markdown stays drawn: lists, tables and code have their marks where they are read', async () => {
  const answer = (port: number, owner: string) =>
    `## The plan\n\n- **Open** the port\n- Ask ${owner}\n\n| port | owner |\n|---|---|\n| ${port} | ${owner} |\n\n` +
    `\`\`\`js\nlisten(${port})\n\`\`\``
  const page = await app.open({ model: scriptedModel([answer(80, 'Ada'), answer(443, 'Bob')]) })
  await say(page, 'plan')
  await done(page)
  await page.getByRole('button', { name: 'Try again, as a new branch' }).click()
  await page.getByText('listen(443)').waitFor()
  await done(page)
  await page.keyboard.press('Alt+t')
  await untilAtHead(page)
  await page.getByRole('button', { name: 'Compare two branches' }).click()
  await page.locator('.tree-node', { hasText: 'Ada' }).click()
  await page.locator('.tree-node', { hasText: 'Bob' }).click()
  await page.getByRole('button', { name: 'Word by word' }).click()
  await eventually(() => markedWords(page, 'first')).toEqual(['Ada', '80', 'Ada', '80'])
  await eventually(() => markedWords(page, 'second')).toEqual(['Bob', '443', 'Bob', '443'])
  await page.getByLabel('Second branch').locator('pre span[style]').first().waitFor()
  await eventually(() => markedWords(page, 'second')).toEqual(['Bob', '443', 'Bob', '443'])
  expect(await page.getByLabel('Second branch').textContent()).not.toMatch(/##|\*\*|\|/)
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Word by word' }).click()
  expect(await markedWords(page, 'second')).toEqual([])
  expect(await toldWords(page, 'Second')).toEqual([])
  expect(app.complaints).toEqual([])
})

test('the preview of a long message stays inside a narrow page, and nothing in it has to be scrolled', async () => {
  const lines = Array.from({ length: 80 }, (_, i) => `${i}`).join('\n\n')
  const viewport = { width: 390, height: 700 }
  const page = await app.open({ model: scriptedModel([lines, lines]) }, { viewport, reducedMotion: 'reduce' })
  for (const text of ['first', 'second']) {
    await say(page, text)
    await eventually(() => page.locator('.message.assistant', { hasText: '79' }).count()).toBe(text === 'first' ? 1 : 2)
    await done(page)
  }
  await page.keyboard.press('Alt+t')
  await untilAtHead(page)
  for (const key of ['ArrowUp', 'ArrowDown']) {
    await page.locator('.tree-node[aria-current]').focus()
    await page.keyboard.press(key)
    await page.getByRole('tooltip').waitFor()
    const { y = -1, height = 1000 } = (await page.getByRole('tooltip').boundingBox()) ?? {}
    expect(y).toBeGreaterThanOrEqual(0)
    expect(y + height).toBeLessThanOrEqual(viewport.height)
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
  }
})

test('a message in the tree loses its marks of Markdown, and nothing that it says', async () => {
  const page = await app.open({ model: scriptedModel(['# Sum\n- **2*3** is `6`, as snake_case > 5']) })
  await say(page, 'what is 2*3')
  await page.getByText('snake_case').waitFor()
  await page.keyboard.press('Alt+t')
  await page.locator('.tree-node').first().waitFor()
  await eventually(() => page.locator('.tree-text').allTextContents()).toEqual([
    'what is 2*3',
    'Sum\n2*3 is 6, as snake_case > 5',
  ])
})

test('the tree is opened in its place; a press holds it still while it moves, and takes what is under it', async () => {
  const page = await app.open({ model: scriptedModel([callsAdd, 'The end.']), tools: [add] })
  await page.clock.install()
  await page.reload()
  await say(page, 'go')
  await page.getByText('The end.').waitFor()
  const node = page.locator('.tree-node', { hasText: 'add → ok' })
  const place = () => page.locator('.react-flow__viewport').getAttribute('style')
  await page.keyboard.press('Alt+t')
  // Once with a clock that goes: what loads later waits for it.
  await node.waitFor()
  await page.keyboard.press('Alt+t')
  await box(page).waitFor()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.keyboard.press('Alt+t')
  await node.waitFor()
  const opened = await place()
  await page.clock.runFor(1000)
  expect(await place()).toBe(opened)
  await page.getByRole('button', { name: 'Zoom out' }).click()
  await page.clock.runFor(100)
  const { x, y } = (await node.boundingBox()) ?? { x: 0, y: 0 }
  await page.mouse.move(x + 4, y + 4)
  await page.mouse.down()
  const held = await place()
  await page.clock.runFor(1000)
  expect(await place()).toBe(held)
  expect(held).not.toBe(opened)
  await page.mouse.up()
  await eventually(async () => {
    await page.clock.runFor(20)
    return page.locator('.tree-node[aria-current]').textContent()
  }).toContain('add → ok')
  // Once more, while it flies to the middle: it still gets there.
  await page.clock.runFor(60)
  const now = (await node.boundingBox()) ?? { x: 0, y: 0 }
  await page.mouse.move(now.x + 4, now.y + 4)
  await page.mouse.down()
  await page.mouse.up()
  await page.clock.runFor(1000)
  const [one, all] = [await node.boundingBox(), await page.locator('.react-flow').boundingBox()]
  const middle = (box: typeof one) => box && box.x + box.width / 2
  expect(middle(one)).toBeCloseTo(middle(all) ?? 0, 0)
  await eventually(() => place()).not.toBe(held)
})

test.each([
  { on: 'a desk', viewport: { width: 1280, height: 800 } },
  { on: 'a phone', viewport: { width: 360, height: 800 } },
])(
  'on $on a small tree is shown whole, over the bar below it, when it is opened and when it grows',
  async ({ viewport }) => {
    const model = scriptedModel([callsAdd, 'Left end.', 'Right end.'])
    const page = await app.open({ model, tools: [add] }, { reducedMotion: 'reduce', viewport })
    const isWhole = () =>
      page.evaluate(() => {
        const bar = document.querySelector('.selected')?.getBoundingClientRect()
        const tree = document.querySelector('.react-flow')?.getBoundingClientRect()
        const nodes = [...document.querySelectorAll('.tree-node')].map(one => one.getBoundingClientRect())
        if (!bar || !tree) return 'not there'
        return nodes.every(
          one => one.top >= tree.top && one.bottom <= bar.top && one.left >= 0 && one.right <= tree.right,
        )
          ? `${nodes.length} whole`
          : 'cut'
      })
    await say(page, 'go left')
    await page.getByText('Left end.').waitFor()
    await page.keyboard.press('Alt+t')
    await eventually(isWhole).toBe('4 whole')
    await page.keyboard.press('Alt+t')
    await page.getByRole('button', { name: 'Try again, as a new branch' }).last().click()
    await page.getByText('Right end.').waitFor()
    await page.keyboard.press('Alt+t')
    await eventually(isWhole).toBe('5 whole')
  },
)

test('on a phone the bar of the tree has one row of buttons, also with the way back, and does not cover where one is', async () => {
  const model = scriptedModel(['One.', 'Two.', 'Three.', 'Four.', 'Five.'])
  const page = await app.open({ model }, { reducedMotion: 'reduce', viewport: { width: 360, height: 760 } })
  for (const reply of ['One.', 'Two.', 'Three.', 'Four.', 'Five.']) {
    await say(page, 'and then?')
    await page.getByText(reply, { exact: true }).waitFor()
    await done(page)
  }
  await page.keyboard.press('Alt+t')
  await page.locator('.tree-node[aria-current]').waitFor()
  await untilAtHead(page)
  const bar = page.locator('.selected')
  const before = (await bar.boundingBox())?.height
  // The first press goes to the head, the second to what is above it.
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Back to where I was' }).waitFor()
  expect((await bar.boundingBox())?.height).toBe(before)
  await untilAtHead(page)
})

test('the running tip is live in the tree', async () => {
  const { model, say: speak, end } = steppedModel()
  const page = await app.open({ model })
  await say(page, 'talk')
  await page.keyboard.press('Alt+t')
  await page.locator('.tree-node .tip').waitFor()
  speak('done')
  end()
  await page.locator('.tree-node', { hasText: 'done' }).waitFor()
  await page.locator('.tree-node .tip').waitFor({ state: 'detached' })
})

test('arrow keys walk the tree, to messages that were not drawn too; Enter goes on from there', async () => {
  const model = scriptedModel([callsAdd, 'Left end.', 'Right end.'])
  const page = await app.open({ model, tools: [add] }, { viewport: { width: 900, height: 400 } })
  await say(page, 'go left')
  await page.getByText('Left end.').waitFor()
  await page.getByRole('button', { name: /Edit and send again/ }).click()
  await page.getByLabel('Edit your message').fill('go right')
  await page.keyboard.press('Enter')
  await page.getByText('Right end.').waitFor()
  await page.keyboard.press('Alt+t')
  await eventually(() => page.evaluate('document.activeElement.className')).toBe('tree')
  await eventually(() => page.locator('.tree-node').count()).toBeLessThan(6)
  const focused = () => page.evaluate('document.activeElement.textContent')
  for (const [key, text] of [
    ['ArrowDown', 'Right end.'],
    ['ArrowUp', 'go right'],
    ['ArrowLeft', 'go left'],
    ['ArrowDown', 'add()'],
    ['ArrowDown', 'add → ok'],
    ['ArrowDown', 'Left end.'],
  ] as const) {
    await page.keyboard.press(key)
    await eventually(focused).toContain(text)
  }
  await page.keyboard.press('Enter')
  await page.locator('.tree-node[aria-current]', { hasText: 'Left end.' }).waitFor()
})
