import { readFileSync } from 'node:fs'
import { type Model, middleware, tool } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { gate } from '../../server/test/serve.ts'
import { testApp } from './open-app.ts'
import { add, box, callsAdd, done, eventually, replies, say, steppedModel } from './page.ts'

const app = testApp()

/** A picture of one pixel. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('a first message makes a conversation; its reply streams as Markdown with code', async () => {
  const text = '# Plan\n\n- **one**\n- two\n\n```ts\nconst answer = 42 // sure\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |'
  const page = await app.open({
    model: scriptedModel([{ text, usage: { inputTokens: 1200, outputTokens: 34, cost: 0.0123 } }]),
  })
  await page.getByText('What shall we turn to?').waitFor()
  await say(page, 'Make a plan')
  await page.getByRole('heading', { name: 'Plan', exact: true }).waitFor()
  await eventually(() => page.locator('.prose strong').textContent()).toBe('one')
  await eventually(() => page.locator('.code .hl-keyword').first().textContent()).toBe('const')
  await eventually(() => page.getByRole('cell', { name: '2' }).count()).toBe(1)
  await page.getByText('1.2k in · 34 out · $0.01', { exact: true }).waitFor()
  await page.getByText('This branch: 1.2k in · 34 out · $0.01').waitFor()
  await eventually(() => page.locator('.conversation-title').textContent()).toBe('Make a plan')
  await eventually(() => page.locator('.conversation .cost').textContent()).toBe('$0.01')
  expect(page.url()).toMatch(/\/c\/conv_/)
  expect(page.url()).not.toContain('token')
  expect(app.complaints).toEqual([])
})

test('reasoning is folded; a tool card goes from pending to completed with arguments and result', async () => {
  const [running, finish] = [gate(), gate<string>()]
  const slow = tool({
    name: 'slow',
    run: (_, ctx) => {
      ctx.emit({ type: 'tool.progress', callId: ctx.call.id, message: 'half way', done: 1, total: 2 })
      running.open()
      return finish.opened
    },
  })
  const model = scriptedModel([
    { reasoning: 'Hm, let me think.', calls: [{ name: 'slow', args: { depth: 7 } }] },
    'All done.',
  ])
  const page = await app.open({ model, tools: [slow] })
  await say(page, 'go')
  await running.opened
  await page.getByText('half way').waitFor()
  await eventually(() => page.locator('.tool').getAttribute('data-status')).toBe('executing')
  await eventually(() => page.locator('.tool progress').getAttribute('value')).toBe('0.5')
  finish.open('deep result')
  await page.getByText('All done.').waitFor()
  await eventually(() => page.locator('.tool').getAttribute('data-status')).toBe('ok')
  await page.locator('.tool summary').click()
  await eventually(() => page.locator('.tool-body').textContent()).toMatch(/"depth": 7.*deep result/s)
  await eventually(() => page.getByText('Hm, let me think.').isVisible()).toBe(false)
  await page.getByText('Reasoning').click()
  await eventually(() => page.getByText('Hm, let me think.').isVisible()).toBe(true)
})

test.each([
  { name: 'throws', status: 'error', word: 'Failed', why: 'no sums today', use: [] },
  { name: 'is forbidden', status: 'blocked', word: 'Blocked', why: 'add', use: [approval({ deny: ['add'] })] },
])('a tool that $name is shown as $word, with the reason', async ({ status, word, why, use }) => {
  const failing = tool({
    name: 'add',
    run: () => {
      throw new Error('no sums today')
    },
  })
  const page = await app.open({ model: scriptedModel([callsAdd, 'Sorry.']), tools: [failing], use })
  await say(page, 'add')
  await page.getByText('Sorry.').waitFor()
  await eventually(() => page.locator('.tool').getAttribute('data-status')).toBe(status)
  await eventually(() => page.locator('.tool-status').textContent()).toContain(word)
  await eventually(() => page.locator('.tool-reason').textContent()).toContain(why)
})

test('a call that runs when the turn is stopped is shown as interrupted; what had ended keeps its result', async () => {
  const running = gate()
  const hangs = tool({
    name: 'hangs',
    run() {
      running.open()
      return new Promise(() => {})
    },
  })
  const calls = [
    { name: 'add', args: { a: 2, b: 3 } },
    { name: 'hangs', args: {} },
  ]
  const page = await app.open({ model: scriptedModel([{ calls }]), tools: [add, hangs] })
  await say(page, 'go')
  await running.opened
  const card = (name: string) => page.locator('.tool', { hasText: name })
  await page.locator('.tool[data-status="executing"]', { hasText: 'hangs' }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.locator('.turn-end.interrupted').waitFor()
  await eventually(() => card('hangs').getAttribute('data-status')).toBe('interrupted')
  await eventually(() => card('hangs').locator('.tool-status').textContent()).toBe('Interrupted')
  await eventually(() => card('hangs').locator('.tool-reason').textContent()).toContain('may have completed')
  await eventually(() => card('add').getAttribute('data-status')).toBe('ok')
  await page.reload()
  await card('hangs').waitFor()
  await eventually(() => card('hangs').getAttribute('data-status')).toBe('interrupted')
})

test('a denied call shows the reason that the person gave', async () => {
  const page = await app.open({ model: scriptedModel([callsAdd, 'As you wish.']), tools: [add], use: [approval()] })
  await say(page, 'add')
  await page.getByLabel('Reason, if you deny').fill('Do it in your head')
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.getByText('As you wish.').waitFor()
  await eventually(() => page.locator('.tool').getAttribute('data-status')).toBe('denied')
  await eventually(() => page.locator('.tool-status').textContent()).toBe('Denied')
  await eventually(() => page.locator('.tool-reason').textContent()).toContain('Do it in your head')
})

test('a picture that a tool gives is shown in its card', async () => {
  const snap = tool({ name: 'snap', run: () => ({ type: 'file', mediaType: 'image/png', data: dot, name: 'dot.png' }) })
  const page = await app.open({
    model: scriptedModel([{ calls: [{ name: 'snap', args: {} }] }, 'There.']),
    tools: [snap],
  })
  await say(page, 'look')
  await page.getByText('There.').waitFor()
  await page.locator('.tool summary').click()
  await eventually(() => page.locator('.tool .picture').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(
    1,
  )
})

test('stop, ESC ESC, interject and queue work while a turn runs', async () => {
  const { model, say: speak, end } = steppedModel()
  const page = await app.open({ model })
  await say(page, 'talk')
  speak('Once upon a time')
  await page.getByText('Once upon a time').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('a')
  await page.keyboard.press('Escape')
  await eventually(() => page.getByRole('button', { name: /Stop/ }).isVisible()).toBe(true)
  // Both anew: on a busy machine the look takes longer than two may be apart.
  await page.keyboard.press('a')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByText('Interrupted here').waitFor()
  await done(page)
  await box(page).fill('')
  await say(page, 'more')
  speak('And then ')
  await page.getByText('And then').waitFor()
  await say(page, 'faster please')
  await page.getByText('will be heard after').waitFor()
  await box(page).fill('afterwards this')
  await box(page).press('Alt+Enter')
  await page.getByLabel('Sent when the turn has ended').waitFor()
  await box(page).fill('never this')
  await page.getByRole('button', { name: 'After' }).click()
  await page
    .getByRole('listitem')
    .filter({ hasText: 'never this' })
    .getByRole('button', { name: 'Do not send it' })
    .click()
  end()
  speak('Faster it is. ')
  end()
  speak('Now the last.')
  end()
  await page.getByText('Now the last.').waitFor()
  await done(page)
  const said = await page.locator('.said').allTextContents()
  expect(said).toEqual(['talk', 'more', 'faster please', 'afterwards this'])
})

test('what an attempt had shown goes when the model is asked again', async () => {
  const seen = gate()
  let attempts = 0
  const model: Model = {
    id: 'stumbles',
    async *stream() {
      if (attempts++ > 0) return yield { type: 'text', text: 'Right words.' }
      yield { type: 'text', text: 'Wrong wor' }
      await seen.opened
      throw new Error('cut off')
    },
  }
  const asksAgain = middleware({ name: 'asks-again', wrapModel: (_, next) => next().catch(() => next()) })
  const page = await app.open({ model, use: [asksAgain] })
  await say(page, 'talk')
  await page.getByText('Wrong wor').waitFor()
  seen.open()
  await page.getByText('Right words.').waitFor()
  await done(page)
  await eventually(() => replies(page).locator('.prose').allTextContents()).toEqual(['Right words.'])
})

test('editing makes a branch, retry another, and the switcher goes between them', async () => {
  const page = await app.open({ model: scriptedModel(['First.', 'Second.', 'Third.']) })
  await say(page, 'one')
  await page.getByText('First.').waitFor()
  await page.getByRole('button', { name: /Edit and send again/ }).click()
  await page.getByLabel('Edit your message').fill('two')
  await page.getByRole('button', { name: 'Send as a new branch' }).click()
  await page.getByText('Second.').waitFor()
  await page.getByRole('button', { name: /Try again/ }).click()
  await page.getByText('Third.').waitFor()
  // The question was edited once; the answer has a sibling, as the retry forks there.
  const [question, answer] = [page.locator('.message.user'), replies(page)]
  await eventually(() => question.locator('.branches').textContent()).toBe('2/2')
  await eventually(() => answer.locator('.branches').textContent()).toBe('2/2')
  await answer.getByRole('button', { name: 'Previous branch' }).click()
  await page.getByText('Second.').waitFor()
  await question.getByRole('button', { name: 'Previous branch' }).click()
  await page.getByText('First.').waitFor()
  await eventually(() => question.getByRole('button', { name: 'Previous branch' }).isDisabled()).toBe(true)
  await eventually(() => answer.locator('.branches').count()).toBe(0)
})

test('a picture is attached, sent and shown', async () => {
  const model = scriptedModel(['Nice.'])
  const page = await app.open({ model })
  const png = Buffer.from(dot, 'base64')
  await page.getByLabel('Files to attach').setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: png })
  await page.getByText('dot.png').waitFor()
  await say(page, 'look')
  await page.getByText('Nice.').waitFor()
  await eventually(() => page.locator('.picture').getAttribute('alt')).toBe('dot.png')
  expect(model.prompts[0]?.messages.at(-1)?.content).toContainEqual(
    expect.objectContaining({ type: 'file', mediaType: 'image/png' }),
  )
})

test('files are dropped on the box, and taken back before they are sent', async () => {
  const model = scriptedModel(['Nice.'])
  const page = await app.open({ model })
  const dropped = await page.evaluateHandle(() => {
    const data = new DataTransfer()
    for (const name of ['one.txt', 'two.txt'])
      data.items.add(new File([`words of ${name}`], name, { type: 'text/plain' }))
    return data
  })
  await box(page).dispatchEvent('drop', { dataTransfer: dropped })
  await page.getByText('two.txt').waitFor()
  await page.getByRole('button', { name: 'Remove one.txt' }).click()
  await say(page, 'read')
  await page.getByText('Nice.').waitFor()
  const files = model.prompts[0]?.messages.at(-1)?.content.filter(part => part.type === 'file')
  expect(files).toMatchObject([{ name: 'two.txt', data: Buffer.from('words of two.txt').toString('base64') }])
})

test('conversations are searched, renamed, exported and deleted', async () => {
  const page = await app.open({ model: scriptedModel(['A needle in the hay.', 'Other.']) })
  await say(page, 'first topic')
  await page.getByText('A needle in the hay.').waitFor()
  await page.keyboard.press('Alt+n')
  await say(page, 'second topic')
  await page.getByText('Other.').waitFor()
  await page.keyboard.press('Alt+k')
  await page.keyboard.type('needle')
  await page.locator('.conversation mark').waitFor()
  await page.locator('.conversation').click()
  await replies(page).getByText('A needle in the hay.').waitFor()
  await eventually(() => page.evaluate('document.activeElement.className')).toBe('message assistant')
  await page.getByLabel(/Search in all/).fill('')
  await page.getByRole('button', { name: /Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  // The old title is selected: what is typed takes its place.
  await page.getByLabel('Title').waitFor()
  await page.keyboard.type('Haystack')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Haystack', exact: true }).waitFor()
  await page.getByRole('button', { name: /Actions for/ }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: /Markdown/ }).click(),
  ])
  expect(download.suggestedFilename()).toBe('Haystack.md')
  expect(readFileSync((await download.path()) ?? '', 'utf8')).toContain('## Assistant\n\nA needle in the hay.')
  await page.getByRole('button', { name: /Actions for/ }).click()
  const [copy] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: /JSON/ }).click(),
  ])
  expect(copy.suggestedFilename()).toBe('Haystack.json')
  expect(JSON.parse(readFileSync((await copy.path()) ?? '', 'utf8'))).toMatchObject({
    title: 'Haystack',
    nodes: [{ message: { role: 'user' } }, { message: { role: 'assistant' } }],
  })
  await page.getByRole('button', { name: /Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('What shall we turn to?').waitFor()
  await eventually(() => page.locator('.conversation').count()).toBe(1)
})

test('what is empty says what to do: the list, the search, a conversation, its tree', async () => {
  const page = await app.open({ model: scriptedModel(['Hi.']) })
  await page.getByText('No conversations yet. Write something to begin one.').waitFor()
  await page.getByLabel(/Search in all/).fill('unicorn')
  await page.getByText('Nothing found for “unicorn”.').waitFor()
  const { id } = (await app.server.call('POST', '/api/conversations', {})).body
  await page.goto(`${app.server.url}/c/${id}`)
  await page.getByText('Nothing here yet. Write below.').waitFor()
  await page.keyboard.press('Alt+t')
  await page.getByText('It grows with the first message.').waitFor()
  await page.keyboard.press('Alt+i')
  await page.getByText('No turn yet. Send a message and watch it here.').waitFor()
})

test('what is still on its way says so', async () => {
  const page = await app.open({ model: scriptedModel(['Hi.']) })
  await say(page, 'hello')
  await page.getByText('Hi.').waitFor()
  const held = gate()
  await page.route('**/api/conversations**', async route => {
    await held.opened
    await route.continue()
  })
  await page.reload()
  await page.getByText('Loading the conversation …').waitFor()
  await page.getByLabel('Loading conversations').waitFor()
  held.open()
  await page.getByText('Hi.').waitFor()
})

test('of a long conversation the end is drawn first; earlier messages come when asked for, or found', async () => {
  const noop = tool({ name: 'noop', run: () => 'ok' })
  const calls = Array.from({ length: 22 }, (_, i) => ({ name: 'noop', args: { i } }))
  const { call } = await app.serve({ model: scriptedModel([{ calls }, 'Ready.'], { repeat: true }), tools: [noop] })
  const { id } = (await call('POST', '/api/conversations', {})).body
  const running = async () => (await call('GET', '/api/conversations')).body.conversations[0].running
  for (let i = 0; i < 20; i++) {
    await call('POST', `/api/conversations/${id}/turns`, { text: `question ${i}.` })
    while (await running());
  }
  const page = await app.page()
  await page.locator('.conversation').click()
  await page.getByText('question 19.').waitFor()
  const said = () => page.locator('.said').allTextContents()
  expect((await said())[0]).toBe('question 8.')
  const first = page.getByText('question 8.', { exact: true })
  await page.getByRole('button', { name: 'Show earlier messages (200)' }).scrollIntoViewIfNeeded()
  const before = await first.boundingBox()
  await page.getByRole('button', { name: 'Show earlier messages (200)' }).click()
  await page.locator('.said', { hasText: 'question 0.' }).waitFor()
  expect((await first.boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0)
  expect((await said()).length).toBe(20)
  await page.reload()
  await page.getByText('question 19.').waitFor()
  await page.keyboard.press('Alt+k')
  await page.keyboard.type('question 3.')
  await page.locator('.conversation', { has: page.locator('mark') }).click()
  await eventually(() => page.evaluate('document.activeElement.textContent')).toContain('question 3.')
  expect((await said())[0]).toBe('question 3.')
})
