import { tool } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { testApp } from './open-app.ts'
import { eventually, say } from './page.ts'

const app = testApp()

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
  const model = scriptedModel([
    { text: hostile, calls: [{ name: 'evil', args: { html: hostile } }] },
    'The end.',
    `Other end.\n\n${hostile}`,
  ])
  const page = await app.open({ model, tools: [evil], use: [approval()] })
  await say(page, hostile)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('The end.').waitFor()
  await page.locator('.tool summary').click()
  await page.getByRole('button', { name: 'Try again, as a new branch' }).last().click()
  await page.getByText('Other end.').waitFor()
  await page.keyboard.press('Alt+i')
  await page.locator('.timeline').waitFor()
  await page.keyboard.press('Alt+t')
  await page.locator('.tree-node').first().waitFor()
  await page.getByRole('button', { name: 'Compare two branches' }).click()
  await page.locator('.tree-node', { hasText: 'The end.' }).click()
  await page.locator('.tree-node', { hasText: 'Other end.' }).click()
  await page.getByLabel('Second branch').waitFor()
  await page.keyboard.press('Alt+t')
  await page.getByText('Other end.').waitFor()
  await app.server.call('PATCH', new URL(page.url()).pathname.replace('/c/', '/api/conversations/'), {
    title: '<img src="http://evil.example/title.png" onerror="window.pwned = 1">',
  })
  await page.getByRole('heading', { name: '<img src="http://evil.example/title.png"' }).waitFor()
  expect(await page.evaluate('window.pwned')).toBeUndefined()
  expect(app.strays).toEqual([])
  await eventually(() => page.locator('.column :is(iframe, script, form, style, link, svg image)').count()).toBe(0)
  await eventually(() => page.locator('.column a[href^="javascript"], .column a[href^="data"]').count()).toBe(0)
})
