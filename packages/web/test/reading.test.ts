import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { testApp } from './open-app.ts'
import { done, eventually, say } from './page.ts'

const app = testApp()

const text = `# Tides

A price of $5 or $10 stays; \\(a_1^2 + b\\) and $\\frac{1}{2}$ do not[^1].

$$
\\int_0^1 x^2 \\, dx
= \\frac{1}{3}
$$

\`\`\`ts
const speed = 5.2 // knots => fast${' and on'.repeat(40)}
\`\`\`

\`\`\`diff
-old line
+new line
\`\`\`

- one
  1. two
     - three
- [x] sail
- [ ] moor

\`\`\`mermaid
graph TD
  A[Jersey] --> B[Chausey]
\`\`\`

${'More words.\n\n'.repeat(40)}See [the tides](#tides).

[^1]: A note of the pilot.`

test('formulas, code, diffs, lists, diagrams and footnotes are drawn under the strict policy of the server', async () => {
  const page = await app.open({ model: scriptedModel(['Hi.', text]) })
  const loaded: string[] = []
  page.on('response', response => loaded.push(response.url().split('/').at(-1) ?? ''))
  const isLoaded = (part: RegExp) => loaded.some(name => part.test(name))
  await say(page, 'hello')
  await done(page)
  expect(['katex', 'typeset', 'diagram', 'paint'].filter(part => isLoaded(new RegExp(part, 'i')))).toEqual([])
  await say(page, 'go')
  await done(page)
  await page.locator('.math .katex-html').first().waitFor()
  await eventually(() => page.locator('.math').count()).toBe(3)
  await eventually(() => page.locator('.katex-display').count()).toBe(1)
  await eventually(() => page.getByText('A price of $5 or $10 stays').count()).toBe(1)
  await page.locator('.hl-keyword', { hasText: 'const' }).waitFor()
  await page.locator('.hl-inserted').first().waitFor()
  await eventually(() => page.locator('.hl-deleted').count()).toBeGreaterThan(0)
  expect(
    await page
      .locator('.code code')
      .first()
      .evaluate(code => getComputedStyle(code).fontVariantLigatures),
  ).toBe('none')
  await eventually(() => page.locator('.prose li li li', { hasText: 'three' }).count()).toBe(1)
  const [sail, moor] = [page.getByRole('img', { name: 'Done:' }), page.getByRole('img', { name: 'To do:' })]
  await page.getByRole('listitem').filter({ has: sail, hasText: 'sail' }).waitFor()
  await page.getByRole('listitem').filter({ has: moor, hasText: 'moor' }).waitFor()
  // A line that is longer than its block can be scrolled to its end.
  expect(
    await page
      .locator('.code pre')
      .first()
      .evaluate(pre => pre.scrollWidth / pre.clientWidth),
  ).toBeGreaterThan(2)
  const picture = page.getByRole('img', { name: /^Diagram: graph TD/ })
  await picture.waitFor()
  await eventually(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(50)
  expect([/katex/i, /diagram/, /paint-worker/].map(isLoaded)).toEqual([true, true, true])
  const address = page.url()
  await page.getByRole('button', { name: 'Footnote 1', exact: true }).press('Enter')
  await eventually(() => page.evaluate('document.activeElement.textContent')).toContain('A note of the pilot.')
  await page.getByRole('button', { name: 'Back to the reference of footnote 1' }).click()
  await eventually(() => page.evaluate('document.activeElement.dataset.reference')).toBe('1')
  await page.getByRole('button', { name: 'the tides' }).click()
  await eventually(() => page.evaluate('document.activeElement.textContent')).toBe('Tides')
  expect(page.url()).toBe(address)
  expect(page.context().pages()).toHaveLength(1)
  expect(app.complaints).toEqual([])
  expect(app.strays).toEqual([])
})
