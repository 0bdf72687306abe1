import type { Page } from 'playwright-core'
import { tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { gate } from '../../server/test/serve.ts'
import { testApp } from './open-app.ts'
import { add, done, eventually, say, steppedModel, work } from './page.ts'

const app = testApp()

/** Everything that moved up or down although nobody scrolled it, by the browser's own account. */
async function watchShifts(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const moved: string[] = []
    Object.assign(window, { moved })
    interface Shift extends PerformanceEntry {
      readonly sources: readonly { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
    }
    new PerformanceObserver(list => {
      for (const entry of list.getEntries() as Shift[])
        for (const { node, previousRect, currentRect } of entry.sources)
          if (previousRect.y !== currentRect.y)
            moved.push(`${node?.textContent?.slice(0, 40)}: ${previousRect.y} to ${currentRect.y}`)
    }).observe({ type: 'layout-shift' })
  })
  return () =>
    page.evaluate(async () => {
      // The browser reports a layout shift with the frame after it.
      for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame)
      return (window as unknown as { moved: string[] }).moved
    })
}

const long = `# A heading\n\nA paragraph with **bold** and \`code\`.\n\n- one\n- two\n\n\`\`\`ts\nconst a = 1\nconst b = 2\n\`\`\`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> A quote.\n\n`

test('nothing jumps while a turn streams: text, code, tables, tool cards, progress, the end', async () => {
  const { model, say: speak, end } = steppedModel()
  const [ran, finish] = [gate(), gate<string>()]
  const slow = tool({
    name: 'slow',
    run(_, ctx) {
      ctx.emit({ type: 'tool.progress', callId: ctx.call.id, message: 'half way', done: 1, total: 2 })
      ran.open()
      return finish.opened
    },
  })
  const fails = tool({
    name: 'fails',
    run() {
      throw new Error('no rope')
    },
  })
  const page = await app.open({ model, tools: [slow, fails, add] })
  await say(page, 'talk')
  speak('Once ')
  await page.getByText('Once').waitFor()
  const moved = await watchShifts(page)
  for (const piece of `upon a time.\n\n${long}`.match(/.{1,7}/gs) ?? []) speak(piece)
  await page.getByText('A quote.').waitFor()
  for (const text of ['', '{"dep', 'th": 1}']) speak({ type: 'calling', id: 'c1', name: 'fails', text })
  await page.locator('.tool-gist', { hasText: '1' }).waitFor()
  speak({ type: 'call', id: 'c1', name: 'fails', args: { depth: 1 } })
  speak({ type: 'call', id: 'c2', name: 'slow', args: { depth: 1 } })
  speak({ type: 'call', id: 'c3', name: 'add', args: { a: 1, b: 2 } })
  end()
  await ran.opened
  await page.getByText('half way').waitFor()
  finish.open('done')
  await page.locator('.tool[data-status="ok"]', { hasText: 'slow' }).waitFor()
  await page.locator('.tool-reason', { hasText: 'no rope' }).waitFor()
  speak('And then ')
  await page.getByText('And then').waitFor()
  for (const piece of long.repeat(3).match(/.{1,9}/gs) ?? []) speak(piece)
  speak('The very end.')
  await page.getByText('The very end.').waitFor()
  end()
  await done(page)
  expect(await moved()).toEqual([])
})

test('a short reply stays where it is when it is recorded', async () => {
  const { model, say: speak, end } = steppedModel()
  const page = await app.open({ model })
  await say(page, 'talk')
  speak(long)
  await page.getByText('A quote.').waitFor()
  const before = await page.getByText('A quote.').boundingBox()
  end()
  await page.locator('.message.assistant:not(.live)').waitFor()
  await done(page)
  expect(await page.getByText('A quote.').boundingBox()).toEqual(before)
})

test('who scrolls up to read is left in peace while more comes', async () => {
  const { model, say: speak, end } = steppedModel()
  const page = await app.open({ model })
  await say(page, 'talk')
  speak(`${'A long paragraph. '.repeat(400)}\n\n`)
  await page.getByText('A long paragraph.').waitFor()
  await page.locator('.scroll').evaluate(
    element =>
      new Promise(resolve => {
        element.addEventListener('scroll', resolve, { once: true })
        element.scrollTo(0, 200)
      }),
  )
  const before = await page.locator('.said').boundingBox()
  for (let i = 0; i < 20; i++) speak(`More text ${i}.\n\n`)
  await page.getByText('More text 19.').waitFor()
  end()
  await done(page)
  expect(await page.locator('.said').boundingBox()).toEqual(before)
})

test('who scrolls up and then sends something sees it', async () => {
  const page = await app.open({ model: scriptedModel([long.repeat(4), 'Short.']) })
  await say(page, 'talk')
  await page.getByText('A quote.').last().waitFor()
  await done(page)
  await page.locator('.scroll').evaluate(box => box.scrollTo(0, 0))
  await page.getByRole('button', { name: 'Jump to latest' }).waitFor()
  await say(page, 'and now?')
  await page.getByText('Short.').waitFor()
  const rest = () => page.locator('.scroll').evaluate(box => box.scrollHeight - box.scrollTop - box.clientHeight)
  await eventually(rest).toBeLessThan(2)
  await eventually(() => page.getByRole('button', { name: 'Jump to latest' }).count()).toBe(0)
})

test('a window that gets large enough to show the end offers no jump to it', async () => {
  const page = await app.open({ model: scriptedModel([long]) }, { viewport: { width: 1280, height: 300 } })
  await say(page, 'talk')
  await page.getByText('A quote.').waitFor()
  await done(page)
  await page.locator('.scroll').evaluate(box => box.scrollTo(0, 0))
  await page.getByRole('button', { name: 'Jump to latest' }).waitFor()
  await page.setViewportSize({ width: 1280, height: 3000 })
  await page.getByRole('button', { name: 'Jump to latest' }).waitFor({ state: 'detached' })
})

test('the end stays in view when the window, a panel or a phone keyboard takes room', async () => {
  const page = await app.open({ model: scriptedModel([long.repeat(4)]) })
  await say(page, 'talk')
  await page.getByText('A quote.').last().waitFor()
  await done(page)
  const rest = () => page.locator('.scroll').evaluate(box => box.scrollHeight - box.scrollTop - box.clientHeight)
  await eventually(rest).toBeLessThan(2)
  await page.setViewportSize({ width: 390, height: 780 })
  await eventually(rest).toBeLessThan(2)
  await page.setViewportSize({ width: 390, height: 380 })
  await eventually(rest).toBeLessThan(2)
})

test('the end stays in view when more is drawn before the browser tells of the last scroll', async () => {
  const page = await app.open({ model: scriptedModel([long.repeat(4)]) })
  await say(page, 'talk')
  await page.getByText('A quote.').last().waitFor()
  await done(page)
  const rest = () => page.locator('.scroll').evaluate(box => box.scrollHeight - box.scrollTop - box.clientHeight)
  await eventually(rest).toBeLessThan(2)
  await page.locator('.scroll').evaluate(box => {
    const grow = (height: number) => {
      const more = document.createElement('div')
      more.style.flex = 'none'
      more.style.height = `${height}px`
      box.querySelector('.column')?.append(more)
    }
    grow(200)
    box.scrollTop = box.scrollHeight
    grow(500)
  })
  await eventually(rest).toBeLessThan(2)
})

test('however fast words come, React changes the page once a frame', async () => {
  const { model, say: speak, end } = steppedModel()
  const page = await app.open({ model })
  await say(page, 'talk')
  speak('first ')
  await page.getByText('first').waitFor()
  const { holdFrames, hears, frame } = await work(page)
  await page.getByText('first').waitFor()
  await holdFrames()
  await frame()
  for (let i = 0; i < 500; i++) speak(`word${i} `)
  await hears('word499')
  // A store's change, and the Markdown of what has come.
  expect(await frame()).toBeLessThanOrEqual(3)
  await eventually(() => page.getByText('word499').isVisible()).toBe(true)
  end()
})
