import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { middleware, stop, tool } from 'turnbuckle'
import { approval, continuation } from 'turnbuckle/middleware'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { workspacePreview, workspaceTools } from 'turnbuckle/tools'
import { expect, onTestFinished, test } from 'vitest'
import { storedPermissions } from '../../server/src/index.ts'
import { testApp } from './open-app.ts'
import { add, callsAdd, done, eventually, say } from './page.ts'
import { violations } from './violations.ts'

const app = testApp()

test('an approval is answered inline: with edited arguments, for a scope, and is then remembered', async () => {
  const page = await app.open({
    model: scriptedModel([callsAdd, 'Sum 1.', callsAdd, 'Sum 2.']),
    tools: [add],
    use: [approval()],
  })
  await say(page, 'add')
  await page.getByRole('heading', { name: 'May add run?' }).waitFor()
  await page.getByText('Adds two numbers.').waitFor()
  await page.getByRole('button', { name: 'Edit the arguments' }).click()
  await page.getByLabel('Arguments, as JSON').fill('{')
  await eventually(() => page.getByRole('button', { name: 'Allow' }).isDisabled()).toBe(true)
  await page.getByLabel('Arguments, as JSON').fill('{"a": 20, "b": 30}')
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('Sum 1.').waitFor()
  await done(page)
  await page.locator('.tool summary').click()
  await eventually(() => page.locator('.tool-body').textContent()).toContain('50')
  for (const again of [false, true]) {
    if (again) {
      await page.reload()
      await page.locator('.tool summary').click()
    }
    await eventually(() => page.locator('.tool-gist').textContent()).toBe('20 30')
    await eventually(() => page.locator('.tool-body').textContent()).toMatch(
      /as it was run.*20.*as the model asked.*"a": 2,/s,
    )
  }
  await say(page, 'again')
  await page.getByRole('radio', { name: 'In this conversation' }).check()
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.getByText('Sum 2.').waitFor()
  await eventually(() => page.locator('.tool').last().getAttribute('data-status')).toBe('denied')
})

test('a question of a kept conversation has no deadline, one that nothing keeps says until when it waits', async () => {
  const store = memoryStore()
  for (const { kept, deadlines } of [
    { kept: { store }, deadlines: 0 },
    { kept: {}, deadlines: 1 },
  ]) {
    const model = scriptedModel([callsAdd, 'Five.'])
    const page = await app.open({ model, tools: [add], use: [approval()], ...kept })
    await say(page, 'add')
    await page.getByRole('button', { name: 'Allow' }).waitFor()
    expect(await page.locator('.request .deadline').count()).toBe(deadlines)
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByText('Five.').waitFor()
  }
})

test('an answer for longer shows the pattern that it covers, and counts in other conversations too', async () => {
  const store = memoryStore()
  const permissions = storedPermissions(store)
  const model = scriptedModel([callsAdd, 'Five.', callsAdd, 'Five again.'])
  const use = [approval({ store: permissions.storeFor })]
  await app.serve({ model, tools: [add], use, store }, { store, permissions })
  const page = await app.page()
  await say(page, 'add')
  await page.getByRole('radio', { name: 'Always' }).check()
  const pattern = page.getByLabel('For calls like')
  await eventually(() => pattern.locator('option').allTextContents()).toContain(
    'add: every call, whatever its arguments',
  )
  await pattern.selectOption('add')
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('Five.').waitFor()
  await page.keyboard.press('Alt+n')
  await say(page, 'add once more')
  await page.getByText('Five again.').waitFor()
  await eventually(() => page.locator('.tool').getAttribute('data-status')).toBe('ok')
})

test('an approval shown in two browsers is answered in one and gone in the other', async () => {
  const first = await app.open({ model: scriptedModel([callsAdd, 'Five.']), tools: [add], use: [approval()] })
  await say(first, 'add')
  await first.getByRole('button', { name: 'Allow' }).waitFor()
  const second = await app.page()
  await second.waitForFunction('document.title.includes("(1)")')
  await second.locator('.conversation').click()
  // Pressed in both at once: the later press may find its button gone.
  const pages = [first, second]
  const buttons = await Promise.all(pages.map(page => page.getByRole('button', { name: 'Allow' }).elementHandle()))
  await Promise.all(buttons.map(button => button?.dispatchEvent('click')))
  for (const page of pages) {
    await page.getByText('Five.').waitFor()
    await eventually(() => page.locator('.request').count()).toBe(0)
  }
})

test('a badge tells when a question waits in another conversation', async () => {
  const page = await app.open({ model: scriptedModel([callsAdd, 'Five.']), tools: [add], use: [approval()] })
  await say(page, 'add')
  await page.getByRole('button', { name: 'Allow' }).waitFor()
  await page.getByRole('button', { name: 'New conversation' }).click()
  await page.getByText('Waits for you').waitFor()
  await page.setViewportSize({ width: 390, height: 800 })
  await page.getByRole('button', { name: 'Conversations, 1 waiting for you' }).click()
  await page.locator('.conversation').click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('Five.').waitFor()
})

test('continuation and questions with a schema are forms', async () => {
  const asks = middleware({
    name: 'asks',
    async beforeTurn(ctx) {
      const schema = {
        properties: {
          size: { type: 'string', enum: ['small', 'large'], description: 'Which size?' },
          count: { type: 'integer', title: 'How many' },
          gift: { type: 'boolean', title: 'A gift' },
          weeks: { enum: [1, 2], title: 'Weeks to wait' },
          colour: { enum: ['red', 'blue'], title: 'Colour' },
        },
        required: ['size', 'count'],
      }
      const answer = await ctx.ask('order', { question: 'What shall I order?', schema })
      if (JSON.stringify(answer) !== '{"size":"large","count":3,"gift":true,"weeks":2}')
        return stop(JSON.stringify(answer))
    },
  })
  const page = await app.open({
    model: scriptedModel([callsAdd, 'Ordered.']),
    tools: [add],
    use: [asks, continuation({ max: 1 })],
  })
  await say(page, 'order')
  await page.getByRole('heading', { name: 'What shall I order?' }).waitFor()
  await page.getByLabel('Which size?').selectOption('large')
  await page.getByLabel('How many').fill('3')
  await page.getByLabel('A gift').check()
  await page.getByLabel('Weeks to wait').selectOption('2')
  await page.getByRole('button', { name: 'Answer' }).click()
  await page.getByRole('heading', { name: 'The limit is reached' }).waitFor()
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByText('Ordered.').waitFor()
})

test('whoever answers second is told that, and what was decided', async () => {
  const first = await app.open({ model: scriptedModel([callsAdd, 'Five.']), tools: [add], use: [approval()] })
  await say(first, 'add')
  await first.getByRole('button', { name: 'Allow' }).waitFor()
  const second = await app.page()
  await second.locator('.conversation').click()
  await second.getByRole('button', { name: 'Deny' }).waitFor()
  // The second page receives no events any more, so that it keeps the request.
  await second.evaluate('sockets.forEach(socket => { socket.onmessage = null })')
  await first.getByRole('button', { name: 'Allow' }).click()
  await first.getByText('Five.').waitFor()
  await second.getByRole('button', { name: 'Deny' }).click()
  await second.getByText('It was allowed already.').waitFor()
  await second.getByText('Five.').waitFor()
  await eventually(() => second.locator('.request').count()).toBe(0)
  await eventually(() => second.locator('.tool').getAttribute('data-status')).toBe('ok')
})

test('a question that somebody else answers goes, with a word about it', async () => {
  const first = await app.open({ model: scriptedModel([callsAdd, 'Then not.']), tools: [add], use: [approval()] })
  await say(first, 'add')
  const second = await app.page()
  await second.locator('.conversation').click()
  await second.getByRole('button', { name: 'Deny' }).waitFor()
  await first.getByRole('button', { name: 'Deny' }).click()
  await second.getByText('It was denied elsewhere.').waitFor()
  await eventually(() => second.locator('.request').count()).toBe(0)
  await eventually(() => first.getByText('elsewhere').count()).toBe(0)
})

test('a clarification is answered in words, or by choosing', async () => {
  const heard: unknown[] = []
  const asks = middleware({
    name: 'asks',
    async beforeTurn(ctx) {
      heard.push(await ctx.ask('clarification', { question: 'Which harbour?' }))
      heard.push(await ctx.ask('clarification', { question: 'By day?', options: ['yes', 'no'] }))
    },
  })
  const page = await app.open({ model: scriptedModel(['Off we go.']), use: [asks] })
  await say(page, 'sail')
  await page.getByRole('heading', { name: 'Which harbour?' }).waitFor()
  await page.getByLabel('Your answer').fill('St. Malo')
  await page.getByRole('button', { name: 'Answer' }).click()
  await page.getByRole('heading', { name: 'By day?' }).waitFor()
  await page.getByLabel('Choose').selectOption('no')
  await page.getByRole('button', { name: 'Answer' }).click()
  await page.getByText('Off we go.').waitFor()
  expect(heard).toEqual([{ text: 'St. Malo' }, { text: 'no' }])
})

test('what is sent from the composer answers a clarification, and is no message', async () => {
  const heard: unknown[] = []
  const asks = middleware({
    name: 'asks',
    async beforeTurn(ctx) {
      heard.push(await ctx.ask('clarification', { question: 'Which harbour?' }))
    },
  })
  const page = await app.open({ model: scriptedModel(['Off we go.']), use: [asks] })
  await say(page, 'sail')
  await page.getByText('Enter answers the question').waitFor()
  await say(page, 'St. Malo')
  await page.getByText('Off we go.').waitFor()
  expect(heard).toEqual([{ text: 'St. Malo' }])
  expect(await page.locator('.said').allTextContents()).toEqual(['sail'])
})

test('a permission to change a file shows the change as a diff; so does its result', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-web-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'log.md'), 'Wind south\nSea calm\n')
  const calls = [{ name: 'write_file', args: { path: 'log.md', content: 'Wind west\nSea calm\n' } }]
  const page = await app.open({
    model: scriptedModel([{ calls: [{ name: 'read_file', args: { path: 'log.md' } }] }, { calls }, 'Noted.']),
    tools: workspaceTools({ root: folder }),
    use: [approval({ allow: ['read_file'], preview: workspacePreview({ root: folder }) })],
  })
  await say(page, 'log the wind')
  const lines = (kind: string) => page.locator(`.diff [data-kind="${kind}"]`).allTextContents()
  await page.locator('.request .diff').waitFor()
  await eventually(async () => [await lines('gone'), await lines('new')]).toEqual([['Wind south\n'], ['Wind west\n']])
  await eventually(() => page.locator('.request-title').textContent()).toBe('log.md+1 −1')
  await page.getByText('log.md, all arguments').click()
  await page.locator('.request .value', { hasText: '"content"' }).waitFor()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('Noted.').waitFor()
  await page.locator('.tool', { hasText: 'write_file' }).locator('summary').click()
  await eventually(async () => [await lines('gone'), await lines('new')]).toEqual([['Wind south\n'], ['Wind west\n']])
})

test('a permission to run a command shows the command once, and the other arguments below it', async () => {
  const shell = tool({ name: 'shell', run: () => 'ok' })
  const calls = [{ name: 'shell', args: { command: 'npm test -- "a b"' } }]
  const later = [{ name: 'shell', args: { command: 'npm ci', cwd: '/srv' } }]
  const model = scriptedModel([{ calls }, { calls: later }, 'Ran.'])
  const page = await app.open({ model, tools: [shell], use: [approval()] })
  await say(page, 'test it')
  const form = page.locator('.request')
  await form.getByText('$ npm test -- "a b"').waitFor()
  expect(await form.locator('pre').count()).toBe(0)
  await form.getByRole('button', { name: 'Edit the command' }).click()
  expect(await form.getByLabel('Command').inputValue()).toBe('npm test -- "a b"')
  await form.getByRole('button', { name: 'Edit all arguments as JSON' }).click()
  expect(JSON.parse(await form.getByLabel('Arguments, as JSON').inputValue())).toEqual(calls[0]?.args)
  await form.getByRole('button', { name: 'Allow' }).click()
  await form.getByText('$ npm ci').waitFor()
  expect(JSON.parse((await form.locator('pre').textContent()) ?? '')).toEqual({ cwd: '/srv' })
  await form.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('Ran.').waitFor()
})

test('a command is changed as a command, a file as its path and its text; what was changed is what runs', async () => {
  const ran: unknown[] = []
  const run = (args: unknown) => {
    ran.push(args)
    return 'ok'
  }
  const shell = tool({ name: 'shell', run })
  const write = tool({ name: 'write_file', run })
  const calls = [
    { name: 'shell', args: { command: 'rm -rf build', cwd: '/srv' } },
    { name: 'write_file', args: { path: 'log.md', content: 'Wind south\n' } },
  ]
  const page = await app.open({ model: scriptedModel([{ calls }, 'Done.']), tools: [shell, write], use: [approval()] })
  await say(page, 'clean up')
  const form = page.locator('.request').first()
  const allow = form.getByRole('button', { name: 'Allow' })
  await form.getByText('$ rm -rf build').waitFor()
  await form.getByRole('button', { name: 'Edit the command' }).click()
  await form.getByLabel('Command').fill('')
  await form.getByText('The command is empty.').waitFor()
  expect(await allow.isDisabled()).toBe(true)
  await form.getByLabel('Command').fill('rm -r build\nls')
  expect(await violations(page)).toEqual([])
  await allow.click()
  await eventually(() => form.locator('.request-title').textContent()).toBe('log.md11 bytes')
  await form.getByRole('button', { name: 'Edit path and text' }).click()
  await form.getByLabel('Path').fill('logs/today.md')
  await form.getByLabel('Text', { exact: true }).fill('Wind "west"\n')
  await allow.click()
  await page.getByText('Done.').waitFor()
  expect(ran).toEqual([
    { command: 'rm -r build\nls', cwd: '/srv' },
    { path: 'logs/today.md', content: 'Wind "west"\n' },
  ])
  expect(app.complaints).toEqual([])
})

test.each([
  { what: 'line breaks', command: `ls${'\n'.repeat(30)}rm -rf ~`, says: '31 lines' },
  { what: 'spaces', command: `ls${' '.repeat(3000)}; rm -rf ~`, says: '; rm -rf ~' },
])('a command that has its end behind many $what shows it, above the button', async ({ command, says }) => {
  const shell = tool({ name: 'shell', run: () => 'ok' })
  const model = scriptedModel([{ calls: [{ name: 'shell', args: { command } }] }, 'Ran.'])
  const page = await app.open({ model, tools: [shell], use: [approval()] })
  await say(page, 'list')
  const title = page.locator('.request-title')
  await title.getByText(says).waitFor()
  expect(await title.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0)
  const [shown, button] = [await title.boundingBox(), await page.getByRole('button', { name: 'Allow' }).boundingBox()]
  expect((shown?.y ?? 0) + (shown?.height ?? 0)).toBeLessThan(button?.y ?? 0)
})
