import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { type CreateAgentOptions, type Model, middleware, stop, tool } from 'turnbuckle'
import { approval, continuation } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { gate } from '../../server/test/serve.ts'
import { type App, dist, openApp } from './open-app.ts'

let app: App
beforeAll(async () => {
  app = await openApp()
})
afterEach(() => app.closePages())
afterAll(() => app?.close())

const box = (page: Page) => page.getByLabel('Message', { exact: true })
async function say(page: Page, text: string): Promise<void> {
  await box(page).fill(text)
  await box(page).press('Enter')
}
const replies = (page: Page) => page.locator('.message.assistant')
const done = (page: Page) => page.getByRole('button', { name: 'Send', exact: true }).waitFor()
const add = tool({
  name: 'add',
  description: 'Adds two numbers.',
  input: z.object({ a: z.number(), b: z.number() }),
  run: ({ a, b }: { a: number; b: number }) => a + b,
})
const callsAdd = { text: 'Let me see.', calls: [{ name: 'add', args: { a: 2, b: 3 } }] }

/** Says what the test lets it say. */
function steppedModel(): { model: Model; say(text: string): void; end(): void } {
  const said: (string | undefined)[] = []
  let wake: () => void = () => {}
  const put = (text: string | undefined) => {
    said.push(text)
    wake()
  }
  return {
    say: put,
    end: () => put(undefined),
    model: {
      id: 'stepped',
      async *stream(_, { signal }) {
        for (;;) {
          while (!said.length) {
            await new Promise<void>((resolve, reject) => {
              wake = resolve
              signal.addEventListener('abort', () => reject(signal.reason))
            })
          }
          const text = said.shift()
          if (text === undefined) return
          yield { type: 'text', text }
        }
      },
    },
  }
}

async function started(agent: CreateAgentOptions): Promise<Page> {
  await app.serve(agent)
  return app.page()
}

test('a first message makes a conversation; its reply streams as Markdown with code', async () => {
  const text = '# Plan\n\n- **one**\n- two\n\n```ts\nconst answer = 42 // sure\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |'
  const page = await started({
    model: scriptedModel([{ text, usage: { inputTokens: 1200, outputTokens: 34, cost: 0.0123 } }]),
  })
  await page.getByText('What shall we turn to?').waitFor()
  await say(page, 'Make a plan')
  await page.getByRole('heading', { name: 'Plan', exact: true }).waitFor()
  expect(await page.locator('.prose strong').textContent()).toBe('one')
  expect(await page.locator('.code .hl-word').textContent()).toBe('const')
  expect(await page.getByRole('cell', { name: '2' }).count()).toBe(1)
  await page.getByText('1.2k in · 34 out · $0.01', { exact: true }).waitFor()
  await page.getByText('This path: 1.2k in · 34 out · $0.01').waitFor()
  expect(await page.locator('.conversation').textContent()).toContain('Make a plan')
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
  const page = await started({ model, tools: [slow] })
  await say(page, 'go')
  await running.opened
  await page.getByText('half way').waitFor()
  expect(await page.locator('.tool').getAttribute('data-status')).toBe('executing')
  expect(await page.locator('.tool progress').getAttribute('value')).toBe('0.5')
  finish.open('deep result')
  await page.getByText('All done.').waitFor()
  expect(await page.locator('.tool').getAttribute('data-status')).toBe('ok')
  await page.locator('.tool summary').click()
  expect(await page.locator('.tool-body').textContent()).toMatch(/"depth": 7.*deep result/s)
  expect(await page.getByText('Hm, let me think.').isVisible()).toBe(false)
  await page.getByText('Reasoning').click()
  expect(await page.getByText('Hm, let me think.').isVisible()).toBe(true)
})

test.each([
  { name: 'throws', status: 'error', word: 'Failed', use: [] },
  { name: 'is forbidden', status: 'blocked', word: 'Blocked', use: [approval({ deny: ['add'] })] },
])('a tool that $name is shown as $word, with the reason', async ({ status, word, use }) => {
  const failing = tool({
    name: 'add',
    run: () => {
      throw new Error('no sums today')
    },
  })
  const page = await started({ model: scriptedModel([callsAdd, 'Sorry.']), tools: [failing], use })
  await say(page, 'add')
  await page.getByText('Sorry.').waitFor()
  expect(await page.locator('.tool').getAttribute('data-status')).toBe(status)
  expect(await page.locator('.tool-status').textContent()).toContain(word)
  expect(await page.locator('.tool-body').isVisible()).toBe(true)
})

test('an approval is answered inline: with edited arguments, for a scope, and is then remembered', async () => {
  const page = await started({
    model: scriptedModel([callsAdd, 'Sum 1.', callsAdd, 'Sum 2.']),
    tools: [add],
    use: [approval()],
  })
  await say(page, 'add')
  await page.getByRole('heading', { name: 'May add run?' }).waitFor()
  await page.getByText('Adds two numbers.').waitFor()
  await page.getByRole('button', { name: 'Edit the arguments' }).click()
  await page.getByLabel('Arguments, as JSON').fill('{')
  expect(await page.getByRole('button', { name: 'Allow' }).isDisabled()).toBe(true)
  await page.getByLabel('Arguments, as JSON').fill('{"a": 20, "b": 30}')
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('Sum 1.').waitFor()
  await page.locator('.tool summary').click()
  expect(await page.locator('.tool-body').textContent()).toContain('50')
  await say(page, 'again')
  await page.getByRole('radio', { name: 'In this conversation' }).check()
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.getByText('Sum 2.').waitFor()
  expect(await page.locator('.tool').last().getAttribute('data-status')).toBe('denied')
})

test('an approval shown in two browsers is answered in one and gone in the other', async () => {
  const first = await started({ model: scriptedModel([callsAdd, 'Five.']), tools: [add], use: [approval()] })
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
    expect(await page.locator('.request').count()).toBe(0)
  }
})

test('a badge tells when a question waits in another conversation', async () => {
  const page = await started({ model: scriptedModel([callsAdd, 'Five.']), tools: [add], use: [approval()] })
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
        },
        required: ['size', 'count'],
      }
      const answer = await ctx.ask('order', { question: 'What shall I order?', schema })
      if (JSON.stringify(answer) !== '{"size":"large","count":3,"gift":true}') return stop(JSON.stringify(answer))
    },
  })
  const page = await started({
    model: scriptedModel([callsAdd, 'Ordered.']),
    tools: [add],
    use: [asks, continuation({ max: 1 })],
  })
  await say(page, 'order')
  await page.getByRole('heading', { name: 'What shall I order?' }).waitFor()
  await page.getByLabel('Which size?').selectOption('large')
  await page.getByLabel('How many').fill('3')
  await page.getByLabel('A gift').check()
  await page.getByRole('button', { name: 'Answer' }).click()
  await page.getByRole('heading', { name: 'The limit is reached' }).waitFor()
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByText('Ordered.').waitFor()
})

test('stop, ESC ESC, interject and queue work while a turn runs', async () => {
  const { model, say: speak, end } = steppedModel()
  const page = await started({ model })
  await say(page, 'talk')
  speak('Once upon a time')
  await page.getByText('Once upon a time').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('a')
  await page.keyboard.press('Escape')
  expect(await page.getByRole('button', { name: /Stop/ }).isVisible()).toBe(true)
  await page.keyboard.press('Escape')
  await page.getByText('Interrupted here').waitFor()
  await box(page).fill('')
  await say(page, 'more')
  speak('And then ')
  await page.getByText('And then').waitFor()
  await say(page, 'faster please')
  await page.getByText('will be heard after').waitFor()
  await box(page).fill('afterwards this')
  await box(page).press('Alt+Enter')
  await page.getByLabel('Sent when the turn has ended').waitFor()
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

test('editing makes a branch, retry another, and the switcher goes between them', async () => {
  const page = await started({ model: scriptedModel(['First.', 'Second.', 'Third.']) })
  await say(page, 'one')
  await page.getByText('First.').waitFor()
  await page.getByRole('button', { name: /Edit and send again/ }).click()
  await page.getByLabel('Edit your message').fill('two')
  await page.getByRole('button', { name: 'Send as a new branch' }).click()
  await page.getByText('Second.').waitFor()
  await page.getByRole('button', { name: /Try again/ }).click()
  await page.getByText('Third.').waitFor()
  expect(await page.locator('.branches').textContent()).toBe('3/3')
  await page.getByRole('button', { name: 'Previous branch' }).click()
  await page.getByText('Second.').waitFor()
  await page.getByRole('button', { name: 'Previous branch' }).click()
  await page.getByText('First.').waitFor()
  expect(await page.getByRole('button', { name: 'Previous branch' }).isDisabled()).toBe(true)
})

test('a picture is attached, sent and shown', async () => {
  const model = scriptedModel(['Nice.'])
  const page = await started({ model })
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  await page.getByLabel('Files to attach').setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: png })
  await page.getByText('dot.png').waitFor()
  await say(page, 'look')
  await page.getByText('Nice.').waitFor()
  expect(await page.locator('.picture').getAttribute('alt')).toBe('dot.png')
  expect(model.prompts[0]?.messages.at(-1)?.content).toContainEqual(
    expect.objectContaining({ type: 'file', mediaType: 'image/png' }),
  )
})

test('reload and a lost connection in the middle of a turn lose and repeat nothing', async () => {
  const { model, say: speak, end } = steppedModel()
  const page = await started({ model })
  await say(page, 'talk')
  speak('alpha ')
  await page.getByText('alpha').waitFor()
  await page.reload()
  await page.getByText('alpha').waitFor()
  speak('beta ')
  await page.getByText('alpha beta').waitFor()
  await page.context().setOffline(true)
  await page.evaluate('sockets.forEach(socket => socket.close())')
  await page.getByText('The server does not answer').waitFor()
  speak('gamma ')
  await page.context().setOffline(false)
  await page.getByText('alpha beta gamma').waitFor()
  speak('delta')
  end()
  await page.getByText('alpha beta gamma delta', { exact: true }).waitFor()
  await done(page)
  expect(await replies(page).count()).toBe(1)
  expect(await page.locator('.banner').count()).toBe(0)
})

test('two browsers see the same turn word by word', async () => {
  const { model, say: speak, end } = steppedModel()
  const first = await started({ model })
  await say(first, 'talk')
  speak('together ')
  await first.getByText('together').waitFor()
  const second = await app.page()
  await second.locator('.conversation').click()
  speak('again')
  for (const page of [first, second]) await page.getByText('together again').waitFor()
  end()
  for (const page of [first, second]) await done(page)
})

test('conversations are searched, renamed, exported and deleted', async () => {
  const page = await started({ model: scriptedModel(['A needle in the hay.', 'Other.']) })
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
  await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('message assistant')
  await page.getByLabel(/Search in all/).fill('')
  await page.getByRole('button', { name: /Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByLabel('Title').fill('Haystack')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Haystack' }).waitFor()
  await page.getByRole('button', { name: /Actions for/ }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: /Markdown/ }).click(),
  ])
  expect(download.suggestedFilename()).toBe('Haystack.md')
  expect(readFileSync((await download.path()) ?? '', 'utf8')).toContain('## Assistant\n\nA needle in the hay.')
  await page.getByRole('button', { name: /Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('What shall we turn to?').waitFor()
  expect(await page.locator('.conversation').count()).toBe(1)
})

test('the tree shows branches and the head; a click goes there; two are compared; a subtree is hidden', async () => {
  const page = await started({ model: scriptedModel([callsAdd, 'Left end.', 'Right end.']), tools: [add] })
  await say(page, 'go left')
  await page.getByText('Left end.').waitFor()
  await page.getByRole('button', { name: /Edit and send again/ }).click()
  await page.getByLabel('Edit your message').fill('go right')
  await page.keyboard.press('Enter')
  await page.getByText('Right end.').waitFor()
  await page.keyboard.press('Alt+t')
  const node = (text: string) => page.locator('.tree-node', { hasText: text })
  await node('Right end.').waitFor()
  await expect.poll(() => page.locator('.tree-node').count()).toBe(6)
  expect(await node('add → ok').getAttribute('data-role')).toBe('tool')
  expect(await page.locator('.tree-node[aria-current]').textContent()).toContain('Right end.')
  await page.getByLabel('Find in this tree').fill('left end')
  await page.getByText('1 found').waitFor()
  expect(await node('Right end.').getAttribute('data-dim')).toBe('true')
  await page.getByLabel('Find in this tree').fill('')
  await node('Left end.').click()
  await page.locator('.tree-node[aria-current]', { hasText: 'Left end.' }).waitFor()
  await page.getByRole('button', { name: 'Compare two branches' }).click()
  await node('Left end.').click()
  await node('Right end.').click()
  await page.getByLabel('First branch').getByText('Left end.').waitFor()
  await page.getByLabel('Second branch').getByText('Right end.').waitFor()
  await page.getByRole('button', { name: 'Close the comparison' }).click()
  await page.getByRole('button', { name: 'Compare two branches' }).click()
  await page.getByRole('button', { name: 'Hide' }).click()
  await page.getByRole('button', { name: 'Hide the subtree' }).click()
  await expect.poll(() => page.locator('.tree-node').count()).toBe(5)
  await page.getByRole('button', { name: 'Go on from here' }).click()
  await box(page).waitFor()
  expect(app.complaints).toEqual([])
})

test('the running tip is live in the tree', async () => {
  const { model, say: speak, end } = steppedModel()
  const page = await started({ model })
  await say(page, 'talk')
  await page.keyboard.press('Alt+t')
  await page.locator('.tree-node .tip').waitFor()
  speak('done')
  end()
  await page.locator('.tree-node', { hasText: 'done' }).waitFor()
  expect(await page.locator('.tree-node .tip').count()).toBe(0)
})

test('5,000 messages: the tree opens, pans and finds', async () => {
  const { id, nodes } = await bigConversation()
  expect(nodes).toBe(5000)
  const page = await app.page()
  await page.goto(`${app.server.url}/c/${id}`)
  await box(page).waitFor()
  await page.keyboard.press('Alt+t')
  await page.locator('.tree-node[aria-current]').waitFor()
  expect(await page.locator('.tree-node').count()).toBeLessThan(400)
  await page.getByLabel('Find in this tree').fill('reply 142')
  await page.getByText('1 found').waitFor()
  await page.locator('.tree-node[data-dim="false"]', { hasText: 'reply 142' }).waitFor()
  await page.getByLabel('Find in this tree').fill('')
  const place = () => page.locator('.react-flow__viewport').getAttribute('style')
  const before = await place()
  await page.mouse.move(700, 450)
  await page.mouse.down()
  await page.mouse.move(500, 250, { steps: 10 })
  await page.mouse.up()
  expect(await place()).not.toBe(before)
  expect(await page.locator('.tree-node').count()).toBeLessThan(400)
})

test('the inspector shows the live timeline, changes, decisions, and switches middleware', async () => {
  const held = gate()
  const shout = middleware({
    name: 'shout',
    beforeInput(ctx) {
      ctx.message = { ...ctx.message, content: [{ type: 'text', text: 'LOUD' }] }
    },
    afterDecide: ctx => (ctx.step === 0 ? stop('enough') : undefined),
  })
  const page = await started({ model: scriptedModel([() => held.opened.then(() => 'Hi.'), 'Ho.']), use: [shout] })
  await say(page, 'quiet')
  await page.keyboard.press('Alt+i')
  await page.getByText('beforeInput').waitFor()
  held.open()
  await page.getByText('Stopped by shout: enough').waitFor()
  await page.getByText('changed input').click()
  expect(await page.locator('.diff [data-kind="gone"]').allTextContents()).toContainEqual(
    expect.stringContaining('quiet'),
  )
  expect(await page.locator('.diff [data-kind="new"]').allTextContents()).toContainEqual(
    expect.stringContaining('LOUD'),
  )
  expect(await page.locator('.timeline > li > ol > li .span-name').first().textContent()).toBe('input')
  await page.getByRole('tab', { name: 'Who decided' }).click()
  await page.locator('.decisions li[data-won="true"]', { hasText: 'shout at afterDecide' }).waitFor()
  await page.getByRole('tab', { name: 'Middleware' }).click()
  expect(await page.locator('.middleware tr', { hasText: 'beforeInput' }).textContent()).toMatch(/beforeInput1\s*0/)
  await page.getByRole('switch', { name: 'shout is on' }).click()
  await page.getByRole('switch', { name: 'shout is off' }).waitFor()
  await say(page, 'and now')
  await page.getByText('Ho.').waitFor()
  expect(await page.locator('.turn-end').count()).toBe(0)
})

const hostile = [
  '<img src="http://evil.example/a.png" onerror="window.pwned = 1">',
  '![beacon](http://evil.example/b.png "x")',
  '![svg](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+)',
  '<script>window.pwned = 1</script>',
  '<iframe src="http://evil.example/c"></iframe>',
  '<svg onload="window.pwned = 1"><image href="http://evil.example/d"/></svg>',
  '<link rel="stylesheet" href="http://evil.example/e.css"><style>@import url(http://evil.example/f.css)</style>',
  '[click](javascript:window.pwned=1) [data](data:text/html,<script>window.pwned=1</script>)',
  '<a href="http://evil.example" ping="http://evil.example/g">x</a> <form action="http://evil.example/h"><button>y</button></form>',
  '<div style="background:url(http://evil.example/i)">z</div>',
  '| a |\n|---|\n| ![t](//evil.example/j.png) |',
  '```html\n<img src="http://evil.example/k.png">\n```',
].join('\n\n')

test('hostile Markdown and HTML run nothing and fetch nothing, in replies, results and questions', async () => {
  const evil = tool({ name: 'evil', run: () => hostile })
  const model = scriptedModel([{ text: hostile, calls: [{ name: 'evil', args: { html: hostile } }] }, 'The end.'])
  const page = await started({ model, tools: [evil], use: [approval()] })
  await say(page, hostile)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('The end.').waitFor()
  await page.locator('.tool summary').click()
  await page.keyboard.press('Alt+t')
  await page.locator('.tree-node').first().waitFor()
  await page.keyboard.press('Alt+t')
  await page.getByText('The end.').waitFor()
  expect(await page.evaluate('window.pwned')).toBeUndefined()
  expect(app.strays).toEqual([])
  expect(await page.locator('.column :is(iframe, script, form, style, link, svg image)').count()).toBe(0)
  expect(await page.locator('.column a[href^="javascript"], .column a[href^="data"]').count()).toBe(0)
})

test('no accessibility violations in light and dark: welcome, chat with a question, tree, inspector, phone', async () => {
  const page = await started({
    model: scriptedModel(['# Hello\n\n`code` and [a link](https://example.org)', callsAdd, 'Five.']),
    tools: [add],
    use: [approval()],
  })
  const check = async (where: string) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.waitForTimeout(200)
      await page.evaluate(axe.source)
      const { violations } = (await page.evaluate(
        'axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"] })',
      )) as axe.AxeResults
      expect(
        violations.map(
          ({ id, nodes }) =>
            `${where} ${colorScheme} ${id}: ${nodes.map(node => `${node.html} ${node.failureSummary}`).join(' | ')}`,
        ),
      ).toEqual([])
    }
  }
  await check('welcome')
  await say(page, 'hello')
  await page.getByText('a link').waitFor()
  await say(page, 'add')
  await page.getByRole('button', { name: 'Allow' }).waitFor()
  await check('question')
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('Five.').waitFor()
  await page.keyboard.press('Alt+i')
  await page.locator('.timeline').waitFor()
  await check('inspector')
  await page.getByRole('tab', { name: 'Middleware' }).click()
  await page.getByRole('switch').first().waitFor()
  await check('middleware')
  await page.keyboard.press('Alt+i')
  await page.keyboard.press('Alt+t')
  await page.locator('.tree-node[aria-current]').waitFor()
  await check('tree')
  await page.keyboard.press('Alt+t')
  await page.setViewportSize({ width: 390, height: 800 })
  await check('phone')
})

test('a wrong token leads to a page that says what to do, and a right one in', async () => {
  await app.serve({ model: scriptedModel([]) })
  const page = await (await app.browser.newContext()).newPage()
  await page.goto(`${app.server.url}/#token=wrong`)
  await page.getByText('That token is not valid here').waitFor()
  await page.getByLabel('Token').fill(app.server.token)
  await page.keyboard.press('Enter')
  await box(page).waitFor()
  await page.goto(`${app.server.url}/c/none`)
  await page.getByText('This conversation cannot be shown').waitFor()
  await page.getByRole('button', { name: 'Begin a new one' }).click()
  await page.getByText('What shall we turn to?').waitFor()
})

test('nothing jumps while a reply streams: what was read stays where it is', async () => {
  const { model, say: speak, end } = steppedModel()
  const page = await started({ model })
  await say(page, 'talk')
  speak(`${'A long paragraph. '.repeat(400)}\n\n`)
  await page.getByText('A long paragraph.').waitFor()
  await page.locator('.scroll').evaluate(element => element.scrollTo(0, 200))
  await page.waitForTimeout(50)
  const before = await page.locator('.said').boundingBox()
  for (let i = 0; i < 20; i++) speak(`More text ${i}.\n\n`)
  await page.getByText('More text 19.').waitFor()
  end()
  await done(page)
  expect(await page.locator('.said').boundingBox()).toEqual(before)
})

test('the first view loads at most 250 kB of JavaScript, gzipped; tree and inspector come when opened', async () => {
  const page = await started({ model: scriptedModel(['Hi.']) })
  const loaded: string[] = []
  page.on('response', response => response.url().endsWith('.js') && loaded.push(response.url().split('/').at(-1) ?? ''))
  await page.reload()
  await say(page, 'hello')
  await page.getByText('Hi.').waitFor()
  const sizes = new Map(
    readdirSync(join(dist, 'assets')).map(name => [name, gzipSync(readFileSync(join(dist, 'assets', name))).length]),
  )
  expect(loaded.reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0)).toBeLessThan(250_000)
  expect(loaded.join()).not.toMatch(/tree-view|inspector/)
  await page.keyboard.press('Alt+i')
  await page.locator('.timeline').waitFor()
  expect(loaded.join()).toMatch(/inspector/)
})

/** A conversation of 5,000 messages: twenty branches of ten turns with 25 messages each. */
async function bigConversation(): Promise<{ id: string; nodes: number }> {
  let turns = 0
  const noop = tool({ name: 'noop', run: () => 'ok' })
  const calls = Array.from({ length: 22 }, (_, i) => ({ name: 'noop', args: { i } }))
  const model = scriptedModel([{ calls }, () => `reply ${turns++}`], { repeat: true })
  const { call } = await app.serve({ model, tools: [noop] })
  const { id } = (await call('POST', '/api/conversations', {})).body
  let fork: string | null = null
  for (let branch = 0; branch < 20; branch++)
    for (let i = 0; i < 10; i++) {
      const parent = i === 0 && fork ? { parentId: fork } : {}
      await call('POST', `/api/conversations/${id}/turns`, { text: `question ${branch}.${i}`, ...parent })
      let head: string | null = null
      while (head === null) {
        const { conversations } = (await call('GET', '/api/conversations')).body
        if (!conversations[0].running) head = conversations[0].head
      }
      fork ??= head
    }
  return { id, nodes: (await call('GET', `/api/conversations/${id}`)).body.nodes.length }
}
