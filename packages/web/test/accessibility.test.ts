import { middleware, tool } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { checkAccessibility as check } from './check-accessibility.ts'
import { testApp } from './open-app.ts'
import { add, callsAdd, done, eventually, say, steppedModel } from './page.ts'

const app = testApp()

const fails = tool({
  name: 'fails',
  run() {
    throw new Error('no rope')
  },
})

test('no accessibility violations: welcome, menu, dialog, editing, question, cards, phone, offline', async () => {
  const page = await app.open({
    model: scriptedModel([
      '# Hello\n\n`code` and [a link](https://example.org)',
      { text: 'Both.', calls: [...callsAdd.calls, { name: 'fails', args: {} }] },
      'Done.',
    ]),
    tools: [add, fails],
    use: [approval()],
  })
  await check(page, 'welcome')
  await say(page, 'hello')
  await page.getByText('a link').waitFor()
  await done(page)
  await page.getByRole('button', { name: /Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).waitFor()
  await check(page, 'menu')
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByLabel('Title').waitFor()
  await check(page, 'dialog')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /Edit and send again/ }).click()
  await check(page, 'edit')
  await page.keyboard.press('Escape')
  await say(page, 'add')
  await page.getByRole('heading', { name: 'May add run?' }).waitFor()
  await page.getByRole('button', { name: 'Edit the arguments' }).click()
  await page.getByRole('radio', { name: 'Always' }).check()
  await check(page, 'question')
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('heading', { name: 'May fails run?' }).waitFor()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('Done.').waitFor()
  await page.locator('.tool summary').first().click()
  await check(page, 'cards')
  await page.setViewportSize({ width: 390, height: 800 })
  await check(page, 'phone')
  await page.getByRole('button', { name: 'Conversations' }).click()
  await check(page, 'phone, list')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.context().setOffline(true)
  await page.evaluate('sockets.forEach(socket => socket.close())')
  await page.getByText('The server does not answer').waitFor()
  await check(page, 'offline')
})

test('no accessibility violations: a form with all kinds of fields and what is wrong with them, a card that is being written', async () => {
  const schema = {
    properties: {
      text: { type: 'string', description: 'Some words' },
      choice: { enum: ['a', 'b'] },
      several: { type: 'array', items: { enum: ['a', 'b'] }, minItems: 1 },
      list: { type: 'array', items: { type: 'string' }, minItems: 2 },
      group: {
        type: 'object',
        properties: { yes: { type: 'boolean' }, count: { type: 'integer' } },
        required: ['count'],
      },
      other: {},
    },
    required: ['text', 'several', 'list', 'group'],
  }
  const asks = middleware({
    name: 'asks',
    async beforeTurn(ctx) {
      await ctx.ask('order', { question: 'What shall it be?', schema })
    },
  })
  const { model, say: speak } = steppedModel()
  const page = await app.open({ model, tools: [add], use: [asks] })
  await say(page, 'go')
  await page.getByRole('button', { name: 'Answer' }).click()
  await page.getByRole('alert').waitFor()
  await check(page, 'form')
  await page.getByLabel('Some words').fill('words')
  await page.getByRole('group', { name: 'several' }).getByLabel('a').check()
  for (const name of ['list 1', 'list 2']) await page.getByRole('textbox', { name }).fill('x')
  await page.getByLabel('count').fill('1')
  await page.getByRole('button', { name: 'Answer' }).click()
  speak({ type: 'calling', id: 'c1', name: 'add', text: '{"a": 1' })
  await page.locator('.tool summary').click()
  await check(page, 'card')
})

test('no accessibility violations: tree, comparison, inspector with each of its tabs, sign-in', async () => {
  const page = await app.open({ model: scriptedModel([callsAdd, 'Five.', 'Six.']), tools: [add] })
  await say(page, 'add')
  await page.getByText('Five.').waitFor()
  await page
    .getByRole('button', { name: /Try again/ })
    .last()
    .click()
  await page.getByText('Six.').waitFor()
  await page.keyboard.press('Alt+i')
  await page.locator('.timeline').waitFor()
  await check(page, 'timeline')
  await page.getByRole('tab', { name: 'Who decided' }).click()
  await page.getByText('No hook steered this turn.').waitFor()
  await check(page, 'decisions')
  await page.getByRole('tab', { name: 'Middleware' }).click()
  await page.getByRole('switch').first().waitFor()
  await check(page, 'middleware')
  await page.getByRole('tab', { name: 'Permissions' }).click()
  await page.getByText('No standing choices.').waitFor()
  await check(page, 'permissions')
  await page.keyboard.press('Alt+i')
  await page.keyboard.press('Alt+t')
  await page.locator('.tree-node[aria-current]').waitFor()
  await check(page, 'tree')
  await page.getByRole('button', { name: 'Compare two branches' }).click()
  await page.locator('.tree-node', { hasText: 'Five.' }).click()
  await page.locator('.tree-node', { hasText: 'Six.' }).click()
  await page.getByLabel('Second branch').waitFor()
  await check(page, 'comparison')
  await page.evaluate('sessionStorage.clear(); localStorage.clear()')
  await page.reload()
  await page.getByLabel('Token').waitFor()
  await check(page, 'sign-in')
})

test('a whole turn with the keyboard alone: say, answer, open the card, branch, search, begin anew', async () => {
  const model = scriptedModel([callsAdd, 'Five.', 'Again five.'])
  const page = await app.open({ model, tools: [add], use: [approval()] })
  const focused = () =>
    page.evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent')
  /** Presses Tab until it is there. */
  const tabTo = async (name: RegExp) => {
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press('Tab')
      if (name.test(String(await focused()))) return
    }
    throw new Error(`No way to ${name} with the Tab key; last at ${await focused()}.`)
  }
  await page.keyboard.press('Alt+j')
  await page.keyboard.type('add')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Allow' }).waitFor()
  await page.locator('#stage').focus()
  await tabTo(/^Allow$/)
  await page.keyboard.press('Enter')
  await page.getByText('Five.').waitFor()
  await eventually(() => focused()).toBe('Message')
  await page.locator('#stage').focus()
  await tabTo(/^add/)
  await page.keyboard.press('Enter')
  await page.locator('.tool-body').waitFor()
  await tabTo(/^Try again/)
  await page.keyboard.press('Enter')
  await page.getByText('Again five.').waitFor()
  await page.keyboard.press('Alt+k')
  await eventually(() => focused()).toMatch(/^Search/)
  await page.keyboard.press('Alt+n')
  await page.getByText('What shall we turn to?').waitFor()
  await eventually(focused).toBe('Message')
})

test('the tabs of the inspector are one stop, and arrows, Home and End go between them', async () => {
  const page = await app.open({ model: scriptedModel(['Hi.']) })
  await say(page, 'hello')
  await page.getByText('Hi.').waitFor()
  await page.keyboard.press('Alt+i')
  await page.getByRole('tab', { name: 'Timeline' }).focus()
  const chosen = () => page.locator('[role="tab"][aria-selected="true"]').textContent()
  for (const [key, tab] of [
    ['ArrowRight', 'Who decided'],
    ['ArrowRight', 'Middleware'],
    ['ArrowLeft', 'Who decided'],
    ['End', 'Permissions'],
    ['ArrowRight', 'Timeline'],
    ['ArrowLeft', 'Permissions'],
    ['Home', 'Timeline'],
  ] as const) {
    await page.keyboard.press(key)
    await eventually(() => chosen()).toBe(tab)
    await eventually(() => page.evaluate('document.activeElement.textContent')).toBe(tab)
  }
  await page.keyboard.press('Tab')
  await eventually(() => page.evaluate('document.activeElement.getAttribute("role")')).toBe('tabpanel')
})

test('no accessibility violations: a reply with all that can be drawn, a preview in the tree, a comparison by words', async () => {
  const rich = [
    '# Tides\n\nSo $a_1$[^1], see [above](#tides).\n\n$$\n\\frac{1}{2}\n$$',
    '```ts\nexport const speed = 5.2 // knots\nconst name = "a"\n```',
    '```diff\n@@ -1 +1 @@\n-old\n+new\n```',
    '- one\n  1. two\n- [x] sail\n- [ ] moor',
    '```mermaid\ngraph TD\n  A --> B\n```',
    '[^1]: A note.',
  ].join('\n\n')
  const page = await app.open({ model: scriptedModel([rich, 'Another way.']) })
  await say(page, 'go')
  await page.locator('.diagram img').waitFor()
  await page.locator('.katex-html').first().waitFor()
  await page.locator('.hl-inserted').first().waitFor()
  await check(page, 'rich')
  await page.getByRole('button', { name: 'Source' }).click()
  await page.getByRole('button', { name: /Edit and send again/ }).click()
  await page.getByLabel('Edit your message').fill('go another way')
  await page.keyboard.press('Enter')
  await page.getByText('Another way.').waitFor()
  await page.keyboard.press('Alt+t')
  const node = (text: string) => page.locator('.tree-node', { hasText: text })
  await node('Another way.').focus()
  await page.keyboard.press('ArrowUp')
  await page.getByRole('tooltip').waitFor()
  await check(page, 'preview')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Compare two branches' }).click()
  await node('Tides').click()
  await node('Another way.').click()
  await page.getByRole('button', { name: 'Word by word' }).click()
  await check(page, 'words')
  expect(app.complaints).toEqual([])
})
