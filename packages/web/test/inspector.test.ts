import type { Locator } from 'playwright-core'
import { again, middleware, stop, tool } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { storedPermissions } from '../../server/src/index.ts'
import { gate } from '../../server/test/serve.ts'
import { testApp } from './open-app.ts'
import { add, callsAdd, eventually, say } from './page.ts'

const app = testApp()

test('the inspector shows the live timeline, changes, decisions, and switches middleware', async () => {
  const held = gate()
  const shout = middleware({
    name: 'shout',
    beforeInput(ctx) {
      ctx.message = { ...ctx.message, content: [{ type: 'text', text: 'LOUD' }] }
    },
    afterDecide: ctx => (ctx.step === 0 ? stop('enough') : undefined),
  })
  const page = await app.open({ model: scriptedModel([() => held.opened.then(() => 'Hi.'), 'Ho.']), use: [shout] })
  await say(page, 'quiet')
  await page.keyboard.press('Alt+i')
  await page.getByText('beforeInput').waitFor()
  held.open()
  await page.getByText('Stopped by shout: enough').waitFor()
  await page.getByText('changed message').click()
  await eventually(() => page.locator('.diff [data-kind="gone"]').allTextContents()).toContainEqual(
    expect.stringContaining('quiet'),
  )
  await eventually(() => page.locator('.diff [data-kind="new"]').allTextContents()).toContainEqual(
    expect.stringContaining('LOUD'),
  )
  await eventually(() => page.locator('.timeline li[data-level="1"] .span-name').first().textContent()).toBe('input')
  await page.getByRole('tab', { name: 'Who decided' }).click()
  await page.locator('.decisions li[data-won="true"]', { hasText: 'shout at afterDecide' }).waitFor()
  await page.getByRole('tab', { name: 'Middleware' }).click()
  await eventually(() => page.locator('.middleware tr', { hasText: 'beforeInput' }).textContent()).toMatch(
    /beforeInput1\s*0/,
  )
  await page.getByRole('switch', { name: 'shout is on' }).click()
  await page.getByRole('switch', { name: 'shout is off' }).waitFor()
  await say(page, 'and now')
  await page.getByText('Ho.').waitFor()
  await eventually(() => page.locator('.turn-end').count()).toBe(0)
})

test('a hook around the turn is not shown to have changed what the turn records and others change', async () => {
  const around = middleware({
    name: 'around',
    wrapTurn: (_, next) => next(),
    wrapModel: async (_, next) => ({ ...(await next()), content: [{ type: 'text', text: 'Put in place.' }] }),
  })
  const other = middleware({ name: 'other', beforeModel: ctx => ctx.instruct('Be kind.') })
  const page = await app.open({ model: scriptedModel(['Hi.']), use: [around, other] })
  await say(page, 'hello')
  await page.getByText('Put in place.').waitFor()
  await page.keyboard.press('Alt+i')
  const row = (hook: string) => page.locator('.timeline li', { has: page.getByText(hook, { exact: true }) })
  await row('wrapTurn').waitFor()
  await eventually(() => row('wrapTurn').locator('.change').count()).toBe(0)
  await eventually(() => row('beforeModel').locator('.change').allTextContents()).toEqual(['changed instructions'])
  await row('wrapModel').getByText('changed result').click()
  await eventually(() => row('wrapModel').locator('.diff [data-kind="new"]').allTextContents()).toContainEqual(
    expect.stringContaining('Put in place.'),
  )
  expect(await row('wrapModel').locator('.diff [data-kind="gone"]').allTextContents()).toContainEqual(
    expect.stringContaining('Hi.'),
  )
})

test('a guard is switched off after a question: here or for everyone; a strip over every chat concerned says so', async () => {
  const store = memoryStore()
  const agent = {
    model: scriptedModel([callsAdd, 'Five.'], { repeat: true }),
    tools: [add],
    store,
    use: [approval({ deny: ['never'] })],
    breaker: false,
  } as const
  const options = { store, token: 'secret', tokens: 'bob:b', port: 0 }
  await app.serve(agent, options)
  const first = await app.server.newConversation('First')
  const second = await app.server.newConversation('Second')
  const page = await app.page()
  const strip = page.locator('.guard-strip')
  await page.getByText('First', { exact: true }).click()
  await page.keyboard.press('Alt+i')
  await page.getByRole('tab', { name: 'Middleware' }).click()
  const isOn = page.getByRole('switch', { name: 'approval is on' })
  await isOn.click()
  // The safe answer has the focus: a stray Enter switches nothing.
  await page.getByRole('button', { name: 'Keep it on' }).press('Enter')
  await eventually(() => isOn.count()).toBe(1)
  await eventually(() => strip.count()).toBe(0)
  await isOn.click()
  await page.getByRole('button', { name: 'Off in this conversation' }).click()
  await strip.getByText('off in this conversation (me,').waitFor()
  await say(page, 'add')
  await page.getByText('Five.').waitFor()
  await page.getByText('Second', { exact: true }).click()
  await isOn.waitFor()
  await eventually(() => strip.count()).toBe(0)
  await isOn.click()
  await page.getByRole('button', { name: 'Off for everyone' }).click()
  await strip.getByText('off for everyone (me,').waitFor()
  // Somebody else hears of it, and cannot switch it.
  const bob = await (await app.browser.newContext()).newPage()
  await bob.goto(`${app.server.url}/#token=b`)
  await bob.locator('.guard-strip').getByText('off for everyone').waitFor()
  await eventually(() => bob.getByRole('button', { name: 'Switch it on' }).count()).toBe(0)
  await strip.getByRole('button', { name: 'Switch it on' }).click()
  await eventually(() => bob.locator('.guard-strip').count()).toBe(0)
  await eventually(() => strip.count()).toBe(0)
  await page.getByText('First', { exact: true }).click()
  await strip.getByText('off in this conversation').waitFor()
  expect([first, second]).toHaveLength(2)
})

test('“Who decided?” below a turn shows who decided in that turn', async () => {
  const strict = middleware({ name: 'strict', beforeModel: () => stop('not today') })
  const page = await app.open({ model: scriptedModel(['Hi.']), use: [strict] })
  await say(page, 'one')
  await page.getByText('Stopped by strict: not today').waitFor()
  await page.keyboard.press('Alt+i')
  await page.getByRole('tab', { name: 'Middleware' }).click()
  await page.getByRole('switch', { name: 'strict is on' }).click()
  await page.getByRole('switch', { name: 'strict is off' }).waitFor()
  await page.getByRole('button', { name: /Edit and send again/ }).click()
  await page.keyboard.press('Enter')
  await page.getByText('Hi.').waitFor()
  await page.getByRole('button', { name: 'Close the inspector' }).click()
  await page.getByRole('button', { name: 'Previous branch' }).click()
  await page.getByRole('button', { name: 'Who decided?' }).click()
  await page.locator('.decisions li[data-won="true"]', { hasText: 'strict at beforeModel' }).waitFor()
  await eventually(() => page.locator('.outcome').textContent()).toBe('Ended as stopped by strict: not today')
})

test('a stage and a hook are shown while they are open, nested, with their time; a late inspector sees them too', async () => {
  const [asked, held] = [gate(), gate()]
  const slow = middleware({
    name: 'slow',
    async beforeModel() {
      asked.open()
      await held.opened
    },
  })
  const page = await app.open({ model: scriptedModel(['Hi.']), use: [slow] })
  await say(page, 'hello')
  await asked.opened
  await page.keyboard.press('Alt+i')
  const open = page.locator('.timeline li[data-status="open"]')
  const name = (row: Locator) => row.locator('> .span-row .span-name').textContent()
  await open.nth(3).waitFor()
  await eventually(async () => Promise.all((await open.all()).map(name))).toEqual([
    'turn',
    'step',
    'model',
    'beforeModel',
  ])
  await eventually(() => page.locator('.timeline li[data-level="3"] > .span-row .span-by').textContent()).toBe('slow')
  const time = () => open.last().locator('.span-time').textContent()
  const before = await time()
  await eventually(time).not.toBe(before)
  await eventually(() => page.locator('.timeline').getAttribute('aria-busy')).toBe('true')
  held.open()
  await page.getByText('Hi.').waitFor()
  await eventually(() => open.count()).toBe(0)
  const all = await page.locator('.timeline li').count()
  await page.reload()
  await page.getByText('Hi.').waitFor()
  await page.keyboard.press('Alt+i')
  await eventually(() => page.locator('.timeline li').count()).toBe(all)
})

test('decisions show while the turn runs, and a failed hook with its error', async () => {
  const held = gate()
  const steers = middleware({
    name: 'steers',
    afterDecide: ctx => (ctx.step === 0 ? again('once more') : undefined),
    afterModel() {
      throw new Error('out of rope')
    },
  })
  const page = await app.open({ model: scriptedModel(['One.', () => held.opened.then(() => 'Two.')]), use: [steers] })
  await say(page, 'go')
  await page.getByText('One.').waitFor()
  await page.keyboard.press('Alt+i')
  await page.locator('.span-error', { hasText: 'out of rope' }).first().waitFor()
  await page.getByRole('tab', { name: 'Who decided' }).click()
  await page.getByText('Still running.').waitFor()
  await page.locator('.decisions li', { hasText: 'steers at afterDecide' }).waitFor()
  held.open()
  await page.getByText('Ended as completed').waitFor()
  await page.getByRole('tab', { name: 'Middleware' }).click()
  await page.locator('.middleware tr:has([data-bad="true"])', { hasText: 'afterModel' }).waitFor()
})

test('calls that run side by side are told apart by the name of their tool', async () => {
  const sub = tool({ name: 'subtract', run: () => 1 })
  const calls = [...callsAdd.calls, { name: 'subtract', args: {} }]
  const page = await app.open({ model: scriptedModel([{ calls }, 'Done.']), tools: [add, sub] })
  await say(page, 'both')
  await page.getByText('Done.').waitFor()
  await page.keyboard.press('Alt+i')
  const tools = page.locator('.timeline li[data-kind="stage"] > .span-row', {
    has: page.getByText('tool', { exact: true }),
  })
  await eventually(() => tools.locator('.span-by').allTextContents()).toEqual(['add', 'subtract'])
})

test('standing permissions are listed and taken back', async () => {
  const store = memoryStore()
  const permissions = storedPermissions(store)
  const use = [approval({ store: permissions.storeFor })]
  await app.serve(
    { model: scriptedModel([callsAdd, 'Five.', 'Six.']), tools: [add], use, store },
    { store, permissions },
  )
  const page = await app.page()
  await say(page, 'add')
  await page.getByRole('radio', { name: 'In this conversation' }).check()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('Five.').waitFor()
  await page.keyboard.press('Alt+i')
  await page.getByRole('tab', { name: 'Permissions' }).click()
  const permission = page.locator('.permission', { hasText: 'add' })
  await eventually(() => permission.textContent()).toContain('in this conversation')
  const { pathname } = new URL(page.url())
  await page.keyboard.press('Alt+n')
  await say(page, 'again')
  await page.getByRole('link', { name: 'another conversation' }).click()
  await page.getByText('Five.').waitFor()
  expect(new URL(page.url()).pathname).toBe(pathname)
  await eventually(() => permission.textContent()).toContain('in this conversation')
  await permission.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('No standing choices.').waitFor()
})

test('the time a person takes to answer is told apart from the hook’s own', async () => {
  const clock = virtualClock()
  const page = await app.open({
    model: scriptedModel([callsAdd, 'Five.']),
    tools: [add],
    use: [approval()],
    clock,
  })
  await say(page, 'add')
  await page.getByRole('button', { name: 'Allow' }).waitFor()
  await clock.advance(90_000)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('Five.').waitFor()
  await page.keyboard.press('Alt+i')
  const asked = page.locator('.timeline li[data-kind="hook"]', { hasText: 'approval' }).first()
  await asked.getByText('waited 1 m 30 s for a person').waitFor()
  await eventually(() => asked.locator('.span-time').textContent()).toBe('<1 ms')
  await page.getByRole('tab', { name: 'Middleware' }).click()
  const figures = page.locator('.middleware > li', { hasText: 'approval' }).getByRole('row', { name: /beforeTool/ })
  await eventually(() => figures.getByRole('cell').allTextContents()).toEqual([
    'beforeTool',
    '1',
    '0',
    '<1 ms',
    '<1 ms',
  ])
})

test('what a hook changed is a diff: the prompt, the history, its state', async () => {
  const changes = middleware({
    name: 'changes',
    state: { seen: 0 },
    beforeModel(ctx) {
      ctx.prompt = { ...ctx.prompt, instructions: 'Be brief.' }
      ctx.update(({ seen }) => ({ seen: seen + 1 }))
    },
    afterModel(ctx) {
      ctx.messages.append({ role: 'user', content: [{ type: 'text', text: 'A note in between.' }] })
    },
  })
  const page = await app.open({ model: scriptedModel(['Hi.']), use: [changes] })
  await say(page, 'hello')
  await page.getByText('Hi.').waitFor()
  await page.keyboard.press('Alt+i')
  const told = { prompt: 'Be brief.', messages: 'A note in between.', state: '"seen": 1' }
  for (const [what, text] of Object.entries(told)) {
    const change = page.locator('.change', { hasText: `changed ${what}` }).first()
    await change.locator('summary').click()
    await change.locator('.diff [data-kind="new"]', { hasText: text }).first().waitFor()
  }
})

test('a hook that sees every chunk is one row; a long turn draws the rows in view; what was sent and came back is shown', async () => {
  const steps = 120
  const sees = middleware({
    name: 'sees',
    onChunk: chunk => (chunk.type === 'text' ? { ...chunk, text: chunk.text.toUpperCase() } : chunk),
    beforeModel(ctx) {
      ctx.prompt.instructions = `Step ${ctx.step}.`
    },
  })
  const sum = { name: 'add', args: { a: 2, b: 3 } }
  const words = Array.from({ length: 400 }, (_, i) => `w${i} `)
  const model = scriptedModel([
    { chunks: [...words.map(text => ({ type: 'text' as const, text })), { type: 'call', id: 'c', ...sum }] },
    ...Array.from({ length: steps - 2 }, () => callsAdd),
    'The end.',
  ])
  const page = await app.open({ model, tools: [add], use: [sees], maxSteps: steps, breaker: false })
  await page.keyboard.press('Alt+i')
  await say(page, 'go')
  await page.getByText('THE END.', { exact: true }).waitFor()
  const rows = page.locator('.timeline li')
  await page.locator('.span-name', { hasText: /^onChunk × 4\d\d$/ }).waitFor()
  const total = Number(await rows.first().getAttribute('aria-setsize'))
  expect(total).toBeGreaterThan(1000)
  await eventually(() => rows.count()).toBeLessThan(100)
  const call = page.locator('.exchange').first()
  await call.locator('summary').click()
  await eventually(() => call.getByRole('figure', { name: 'Sent' }).textContent()).toContain('Step 0.')
  await eventually(() => call.getByRole('figure', { name: 'Came back' }).textContent()).toContain('W399')
  await page.locator('.inspector-body').evaluate(body => body.scrollTo(0, body.scrollHeight))
  await eventually(() => rows.last().getAttribute('aria-posinset')).toBe(String(total))
  // A bar is as long as its label says: the turn's own fills its track.
  await page.locator('.inspector-body').evaluate(body => body.scrollTo(0, 0))
  const bar = page.locator('.timeline li[data-level="0"] .span-bar').last()
  await eventually(() => bar.evaluate(one => one.style.width)).toBe('100%')
})

test('a page that comes late tells how long something has been running', async () => {
  const started = Date.now() - 3_600_000
  // Each event is an hour old when the page hears of it.
  const clock = { ...virtualClock(), now: () => started }
  const page = await app.open({ model: scriptedModel([callsAdd, 'Five.']), tools: [add], use: [approval()], clock })
  await say(page, 'add')
  const allow = page.getByRole('button', { name: 'Allow' })
  await allow.waitFor()
  await page.reload()
  // A page that shows the request listens to keys.
  await allow.waitFor()
  await page.keyboard.press('Alt+i')
  await eventually(() => page.locator('.timeline li[data-level="0"] > .span-row .span-time').textContent()).toMatch(
    /^6\d m/,
  )
})
