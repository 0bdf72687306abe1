import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { dist, testApp } from './open-app.ts'
import { say } from './page.ts'

const app = testApp()

test('the first view loads at most 250 kB of JavaScript, gzipped; tree and inspector come when opened', async () => {
  const page = await app.open({ model: scriptedModel(['Hi.']) })
  const loaded: string[] = []
  page.on('response', response => response.url().endsWith('.js') && loaded.push(response.url().split('/').at(-1) ?? ''))
  await page.reload()
  await say(page, 'hello')
  await page.getByText('Hi.').waitFor()
  const sizes = new Map(
    readdirSync(join(dist, 'assets')).map(name => [name, gzipSync(readFileSync(join(dist, 'assets', name))).length]),
  )
  expect(loaded.reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0)).toBeLessThan(250_000)
  expect(loaded.join()).not.toMatch(/tree-view|inspector|settings-page/)
  await page.keyboard.press('Alt+i')
  await page.locator('.timeline').waitFor()
  expect(loaded.join()).toMatch(/inspector/)
})
