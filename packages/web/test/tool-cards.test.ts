import { tool } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { gate } from '../../server/test/serve.ts'
import { testApp } from './open-app.ts'
import { done, eventually, say, steppedModel } from './page.ts'

const app = testApp()

test('a card is there while its call is written, and is the same one to the end: pending, executing, completed', async () => {
  const { model, say: speak, end } = steppedModel()
  const [running, finish] = [gate(), gate<string>()]
  const write = tool({
    name: 'write',
    run() {
      running.open()
      return finish.opened
    },
  })
  const page = await app.open({ model, tools: [write] })
  const card = page.locator('.tool')
  const status = () => card.getAttribute('data-status')
  const piece = (text: string) => speak({ type: 'calling', id: 'c1', name: 'write', text })
  await say(page, 'go')
  piece('')
  await page.getByText('write', { exact: true }).waitFor()
  await eventually(async () => [await status(), await page.locator('.tool-gist').textContent()]).toEqual([
    'pending',
    '',
  ])
  await card.evaluate(element => element.setAttribute('data-mark', 'first'))
  await card.locator('summary').press('Enter')
  piece('{"path": "notes.md", "te')
  await eventually(() => page.locator('.tool-gist').textContent()).toBe('notes.md')
  piece('xt": "Once upon')
  await eventually(() => page.locator('.tool-gist').textContent()).toBe('notes.md Once upon')
  await eventually(() => page.locator('.tool-body').textContent()).toContain('"text": "Once upon"')
  piece(' a time"}')
  speak({ type: 'call', id: 'c1', name: 'write', args: { path: 'notes.md', text: 'Once upon a time' } })
  end()
  await running.opened
  await eventually(status).toBe('executing')
  await eventually(() => page.locator('.tool-status').textContent()).toMatch(
    /^Running · (<1|\d+) ms$|^Running · \d+\.\d s$/,
  )
  finish.open('written')
  await eventually(status).toBe('ok')
  await eventually(() => page.locator('.tool-status').textContent()).toMatch(/^Completed · .* m?s$/)
  await eventually(() => card.getAttribute('data-mark')).toBe('first')
  await eventually(() => page.locator('.tool-body').textContent()).toMatch(/Once upon a time.*written/s)
  await eventually(() => page.evaluate(() => document.activeElement?.closest('.tool') !== null)).toBe(true)
  speak('Done.')
  end()
  await done(page)
  await eventually(() => card.count()).toBe(1)
  expect(app.complaints).toEqual([])
})

test('who comes in the middle of a call sees what is written of it, and the rest', async () => {
  const { model, say: speak, end } = steppedModel()
  const write = tool({ name: 'write', run: () => 'written' })
  const page = await app.open({ model, tools: [write] })
  const gists = (seen = page) => seen.locator('.tool-gist').allTextContents()
  await say(page, 'go')
  speak('Let me see. ')
  speak({ type: 'calling', id: 'c1', name: 'write', text: '{"a": "one"}' })
  speak({ type: 'call', id: 'c1', name: 'write', args: { a: 'one' } })
  speak({ type: 'calling', id: 'c2', name: 'write', text: '{"a": "tw' })
  await eventually(gists).toEqual(['one', 'tw'])
  await page.reload()
  const other = await app.page()
  await other.locator('.conversation').click()
  for (const one of [page, other]) await eventually(() => gists(one)).toEqual(['one', 'tw'])
  speak({ type: 'calling', id: 'c2', name: 'write', text: 'o"}' })
  for (const one of [page, other]) await eventually(() => gists(one)).toEqual(['one', 'two'])
  speak({ type: 'call', id: 'c2', name: 'write', args: { a: 'two' } })
  end()
  speak('Done.')
  end()
  for (const one of [page, other]) {
    await done(one)
    await eventually(() => gists(one)).toEqual(['one', 'two'])
    await eventually(() => one.locator('.tool[data-status="ok"]').count()).toBe(2)
  }
})

test('a call that was never whole goes when the turn is stopped', async () => {
  const { model, say: speak } = steppedModel()
  const page = await app.open({ model, tools: [tool({ name: 'write', run: () => 'written' })] })
  await say(page, 'go')
  speak({ type: 'calling', id: 'c1', name: 'write', text: '{"a": "on' })
  await page.locator('.tool').waitFor()
  await page.getByRole('button', { name: 'Stop (ESC ESC)' }).click()
  await page.getByText('Stopped on request').waitFor()
  await done(page)
  await eventually(() => page.locator('.tool').count()).toBe(0)
})

test('beside the inspector a card that was refused still shows the whole name of its tool, and why', async () => {
  const calls = [{ name: 'shell', args: { command: 'rm -rf build dist coverage && echo gone' } }]
  const model = scriptedModel([{ text: 'I clean up.', calls }, 'No.'])
  const shell = tool({ name: 'shell', run: () => '' })
  const page = await app.open({ model, tools: [shell], use: [approval({ deny: ['shell(rm *)'] })] })
  await say(page, 'clean')
  await page.getByText('No.').waitFor()
  await page.keyboard.press('Alt+i')
  await page.locator('.timeline').waitFor()
  const isCut = (part: string) => page.locator(part).evaluate(one => one.scrollWidth > one.clientWidth)
  for (const part of ['.tool-name', '.tool-reason']) await eventually(() => isCut(part)).toBe(false)
})
