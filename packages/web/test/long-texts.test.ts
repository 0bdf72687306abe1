import type { Page } from 'playwright-core'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { testApp } from './open-app.ts'
import { done, eventually, say, steppedModel } from './page.ts'

const app = testApp()

const prose = Array.from(
  { length: 900 },
  (_, i) =>
    `## Part ${i}\n\nA paragraph with **bold** words, \`code\` and [a link](https://example.com/${i}). ${'More of it. '.repeat(8)}\n\n`,
).join('')
const code = Array.from({ length: 700 }, (_, i) => `export const line${i} = ${i} // a comment of this line`).join('\n')
const long = `${prose}\`\`\`ts\n${code}\n\`\`\`\n\nThe very end.`

interface Counts {
  readonly most: number
  readonly all: number
}
const countsOf = (page: Page): Promise<Counts> => page.evaluate('window.counts')

/** Counts the elements that one task adds to the messages at most: what is drawn over several tasks holds up nobody. */
const countPerTask = (page: Page) =>
  page.addInitScript(() => {
    const counts = { most: 0, all: 0 }
    Object.assign(window, { counts })
    new MutationObserver(list => {
      let added = 0
      for (const { addedNodes } of list)
        for (const node of addedNodes) {
          if (node instanceof Element && node.closest('.message')) added += 1 + node.querySelectorAll('*').length
        }
      counts.all += added
      counts.most = Math.max(counts.most, added)
    }).observe(document, { subtree: true, childList: true })
  })

/** Adds up the layout shifts of the page from now on. */
async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const shifts = { sum: 0 }
    Object.assign(window, { shifts })
    new PerformanceObserver(list => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) shifts.sum += entry.value
    }).observe({ type: 'layout-shift' })
  })
  return () =>
    page.evaluate(async () => {
      for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame)
      return (window as unknown as { shifts: { sum: number } }).shifts.sum
    })
}

test('a reply and a paste of 200 kB are drawn in many small tasks, live and when the page is loaded', async () => {
  expect(long.length).toBeGreaterThan(200_000)
  const page = await app.open({ model: scriptedModel(['Hi.', long]) })
  await countPerTask(page)
  await say(page, 'hello')
  await page.getByText('Hi.').waitFor()
  await done(page)
  const turns = `${new URL(page.url()).pathname.replace('/c/', '/api/conversations/')}/turns`
  await app.server.call('POST', turns, { text: `Pasted: ${'some words of a log\n'.repeat(10_000)}The last line.` })
  await page.getByText('The very end.').waitFor()
  await done(page)
  await page.reload()
  await page.getByText('The very end.').waitFor()
  await page.locator('.hl-keyword').nth(600).waitFor()
  await page.getByRole('button', { name: 'Show all 10,001 lines' }).click()
  await page.getByText('The last line.').waitFor()
  const counts = await countsOf(page)
  expect(counts.all).toBeGreaterThan(4000)
  expect(counts.most).toBeLessThan(1500)
  expect(app.complaints).toEqual([])
})

test('a table of 200 kB is drawn in many small tasks, live and when the page is loaded, under its header again and again', async () => {
  const rows = Array.from({ length: 4000 }, (_, i) => `| row ${i} | some words of it | **${i * 7}** more words |`)
  const page = await app.open({
    model: scriptedModel([`| a | b | c |\n|---|---|---|\n${rows.join('\n')}\n\nThe very end.`]),
  })
  await countPerTask(page)
  await page.reload()
  await say(page, 'go')
  await page.getByText('The very end.').waitFor()
  await done(page)
  expect(await countsOf(page)).toMatchObject({ most: expect.toSatisfy((most: number) => most < 1500) })
  await page.reload()
  await page.getByRole('cell', { name: 'row 3999' }).waitFor()
  const { most, all } = await countsOf(page)
  expect(all).toBeGreaterThan(16_000)
  expect(most).toBeLessThan(1500)
  expect(await page.locator('.prose tbody tr').count()).toBe(4000)
  expect(await page.getByRole('columnheader', { name: 'a', exact: true }).count()).toBeGreaterThan(20)
})

/** The most elements that the browser styles anew in one go while `act` runs. */
async function mostStyled(page: Page, act: () => Promise<unknown>): Promise<number> {
  await app.browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline', 'devtools.timeline'] })
  await act()
  const { traceEvents } = JSON.parse(String(await app.browser.stopTracing())) as {
    traceEvents: { name: string; args: { elementCount?: number } }[]
  }
  const counts = traceEvents.flatMap(({ name, args }) => (name === 'UpdateLayoutTree' ? (args.elementCount ?? 0) : []))
  expect(counts.length).toBeGreaterThan(3)
  return Math.max(...counts)
}

test('a long reply is not styled anew when the pointer rests on it, or more is said below it', async () => {
  const rows = '| some words | and more of them |\n'.repeat(2000)
  const model = scriptedModel([`| a | b |\n|---|---|\n${rows}`, 'Short.'])
  const page = await app.open({ model }, { reducedMotion: 'reduce' })
  await say(page, 'go')
  await done(page)
  await eventually(() => page.locator('.prose tbody tr').count()).toBe(2000)
  const styled = await mostStyled(page, async () => {
    await page.locator('.message.assistant').hover()
    await page.getByRole('heading', { level: 1 }).hover()
    await say(page, 'more')
    await page.getByText('Short.').waitFor()
    await done(page)
  })
  expect(styled).toBeLessThan(2000)
})

test('a growing reply of 100 kB draws only its last section with each delta', async () => {
  const { model, say: speak, end } = steppedModel()
  const page = await app.open({ model })
  await say(page, 'go')
  speak(`${prose.slice(0, 100_000)}\n\nThe last paragraph: `)
  await page.getByText('The last paragraph:').waitFor()
  await page.evaluate(() => {
    const changed = new Set<number>()
    Object.assign(window, { changed })
    new MutationObserver(list => {
      const sections = [...document.querySelectorAll('.message.assistant .section')]
      for (const { target } of list) {
        const at = sections.findIndex(section => section.contains(target))
        if (at >= 0) changed.add(sections.length - at)
      }
    }).observe(document, { subtree: true, childList: true, characterData: true })
  })
  for (let i = 0; i < 5; i++) {
    speak(`word${i} `)
    await page.getByText(`word${i}`).waitFor()
  }
  await eventually(() => page.locator('.section').count()).toBeGreaterThan(30)
  expect(await page.evaluate('[...window.changed]')).toEqual([1])
  end()
})

test('a block of code of many lines that streams in shifts nothing by more than 0.05', async () => {
  const { model, say: speak, end } = steppedModel()
  const page = await app.open({ model })
  await say(page, 'go')
  speak('```ts\n')
  await page.locator('.code pre').waitFor()
  const shifted = await watchShifts(page)
  for (let i = 0; i < 120; i++) {
    speak(`const name${i} = `)
    await page.getByText(`const name${i} =`).waitFor()
    speak(`${i} // and a comment\n`)
  }
  speak('```\n')
  end()
  await done(page)
  expect(await shifted()).toBeLessThan(0.05)
})

test('formulas, code and diagrams that stream in shift nothing by more than 0.05', async () => {
  const { model, say: speak, end } = steppedModel()
  const page = await app.open({ model })
  await say(page, 'go')
  speak('Once ')
  await page.getByText('Once').waitFor()
  const shifted = await watchShifts(page)
  const text = `upon a time[^1], $a_1$ cost $5.\n\n$$\n\\frac{1}{2}\n$$\n\n\`\`\`ts\n${code.slice(0, 800)}\n\`\`\`\n\n- [x] done\n\n\`\`\`mermaid\ngraph TD\n  A --> B\n\`\`\`\n\n`
  for (const piece of text.match(/[\s\S]{1,9}/g) ?? []) speak(piece)
  await page.locator('.diagram img').waitFor()
  await page.locator('.hl-keyword').first().waitFor()
  for (const piece of `${'And on and on. '.repeat(200)}\n\n[^1]: A note.`.match(/[\s\S]{1,20}/g) ?? []) speak(piece)
  await page.getByText('A note.').waitFor()
  end()
  await done(page)
  expect(await shifted()).toBeLessThan(0.05)
})
