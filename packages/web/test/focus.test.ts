import type { Page } from 'playwright-core'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { givenSettings } from './given-settings.ts'
import { testApp } from './open-app.ts'
import { eventually, say } from './page.ts'

const app = testApp()

/** Label or text of what has the focus. */
const focusedLabel = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent ?? '')

test('the focus is handed on when its message leaves the page: after a retry, between branches, after an edit', async () => {
  const page = await app.open({ model: scriptedModel(['One.', 'Two.', 'Three.']) })
  await say(page, 'count')
  await page.getByText('One.').waitFor()
  await page.getByRole('button', { name: 'Try again, as a new branch' }).press('Enter')
  await page.getByText('Two.').waitFor()
  // The new reply has the button too, once it is whole.
  await eventually(() => focusedLabel(page)).toMatch(/^(Message|Try again, as a new branch)$/)
  await page.getByRole('button', { name: 'Previous branch' }).press('Enter')
  await page.getByText('One.').waitFor()
  await eventually(() => focusedLabel(page)).toBe('Next branch')
  await page.keyboard.press('Enter')
  await page.getByText('Two.').waitFor()
  await eventually(() => focusedLabel(page)).toBe('Previous branch')
  await page.getByRole('button', { name: /Edit and send again/ }).press('Enter')
  await page.getByLabel('Edit your message').press('Escape')
  await eventually(() => focusedLabel(page)).toMatch(/^Edit and send again/)
  await page.keyboard.press('Enter')
  await page.getByLabel('Edit your message').fill('count on')
  await page.keyboard.press('Enter')
  await page.getByText('Three.').waitFor()
  await eventually(() => focusedLabel(page)).toBe('Message')
})

test('the focus goes to a link that was made, and from the list of a phone to what was chosen in it', async () => {
  const store = memoryStore()
  await app.serve({ model: scriptedModel(['Hi.']), store }, { store, settings: givenSettings() })
  const page = await app.page({ viewport: { width: 390, height: 844 } })
  await say(page, 'hello')
  await page.getByText('Hi.').waitFor()
  await page.getByRole('button', { name: /Actions for/ }).press('Enter')
  await page.getByRole('menuitem', { name: 'Share a link' }).press('Enter')
  await page.getByRole('button', { name: 'Make the link' }).press('Enter')
  await eventually(() => focusedLabel(page)).toBe('Address of the link')
  await page.keyboard.press('Escape')
  await eventually(() => focusedLabel(page)).toMatch(/^Actions for/)
  await page.getByRole('button', { name: 'Conversations' }).press('Enter')
  await page.getByRole('link', { name: 'Settings', exact: true }).press('Enter')
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  await eventually(() => page.evaluate(() => document.activeElement?.id)).toBe('stage')
})

test('an inspector that covers the page takes the focus, keys reach nothing behind it, and it gives the focus back', async () => {
  const page = await app.open({ model: scriptedModel(['Hi.']) }, { viewport: { width: 390, height: 844 } })
  await say(page, 'hello')
  await page.getByText('Hi.').waitFor()
  await page.getByRole('button', { name: 'Inspector (Alt+I)' }).press('Enter')
  await page.locator('.timeline').waitFor()
  await eventually(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Inspector')
  for (let i = 0; i < 12; i++) {
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('.stage') === null)).toBe(true)
  }
  await page.getByRole('button', { name: 'Close the inspector' }).press('Enter')
  await eventually(() => focusedLabel(page)).toBe('Inspector (Alt+I)')
})

test('a dialog that a menu’s item opened gives the focus back to the menu’s button, each time', async () => {
  const page = await app.open({ model: scriptedModel(['Hi.']) })
  await say(page, 'hello')
  await page.getByText('Hi.').waitFor()
  for (const item of ['Rename', 'Rename', 'Share a link', 'Share a link']) {
    await page.getByRole('button', { name: /^Actions for/ }).press('Enter')
    await page.getByRole('menuitem', { name: item }).press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await eventually(() => focusedLabel(page)).toMatch(/^Actions for/)
  }
})

test('the focus stays on the page when its control leaves: a file that is removed, a hook that is trusted', async () => {
  const store = memoryStore()
  await app.serve({ model: scriptedModel(['Hi.']), store }, { store, settings: givenSettings() })
  const page = await app.page()
  await page.getByLabel('Files to attach').setInputFiles([
    { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') },
    { name: 'b.txt', mimeType: 'text/plain', buffer: Buffer.from('b') },
  ])
  for (const name of ['a.txt', 'b.txt']) {
    await page.getByRole('button', { name: `Remove ${name}` }).press('Enter')
    await page.getByText(name).waitFor({ state: 'detached' })
    await eventually(() => focusedLabel(page)).toBe('Message')
  }
  await page.goto(`${app.server.url}/settings`)
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Middleware and hooks' }).click()
  await page.getByText('changed, waits for trust').click()
  await page.getByRole('button', { name: 'Trust exactly this' }).press('Enter')
  await page.getByText('changed, waits for trust').waitFor({ state: 'detached' })
  await eventually(() => page.evaluate(() => document.activeElement?.closest('.stage') !== null)).toBe(true)
})
