import type { Page } from 'playwright-core'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { testApp } from './open-app.ts'
import { done, eventually, say } from './page.ts'
import { violations } from './violations.ts'

const app = testApp()

async function openPage(): Promise<Page> {
  const store = memoryStore()
  await app.serve({ model: scriptedModel(['By boat.', 'By train.'], { repeat: true }), store }, { store })
  return app.page()
}

/** Opens the menu of the open conversation at an item. */
async function choose(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: /Actions for/ }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** A page of somebody who has never been here. */
async function stranger(address: string): Promise<Page> {
  const page = await (await app.browser.newContext()).newPage()
  page.on('pageerror', error => app.complaints.push(String(error)))
  await page.goto(address)
  return page
}

test('a branch is shared by a link that needs no sign-in, shows nothing else, and is revoked', async () => {
  const page = await openPage()
  await say(page, 'How do we get there?')
  await done(page)
  await page.getByRole('button', { name: /Edit and send again/ }).click()
  await page.getByLabel('Edit your message').fill('And on land?')
  await page.keyboard.press('Enter')
  await page.getByText('By train.').waitFor()
  await done(page)
  await choose(page, 'Share a link')
  const dialog = page.getByRole('dialog', { name: 'Share a read-only link' })
  await dialog.getByText('2 messages, up to where you are.').waitFor()
  await dialog.getByText('2 branches with 4 messages').waitFor()
  await dialog.getByRole('button', { name: 'Make the link' }).click()
  const address = await dialog.getByLabel('Address of the link').inputValue()
  expect(await violations(page)).toEqual([])
  const reader = await stranger(address)
  await reader.getByText('By train.').waitFor()
  await reader.getByText('Shared to read').waitFor()
  await eventually(() => reader.getByText('By boat.').count()).toBe(0)
  await eventually(() => reader.getByRole('textbox').count()).toBe(0)
  await eventually(() => reader.getByRole('button').allTextContents()).toEqual(['', ''])
  expect(await reader.evaluate(() => JSON.stringify(localStorage) + JSON.stringify(sessionStorage))).toBe('{}{}')
  expect(await violations(reader)).toEqual([])
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await eventually(() => dialog.getByRole('button', { name: 'Revoke' }).count()).toBe(0)
  await reader.reload()
  await reader.getByText('Nothing is shared here').waitFor()
  expect(app.complaints).toEqual([])
})

test('a shared tree has all its branches, and one goes from one to the other', async () => {
  const page = await openPage()
  await say(page, 'How do we get there?')
  await done(page)
  await page.getByRole('button', { name: 'Try again, as a new branch' }).click()
  await page.getByText('By train.').waitFor()
  await done(page)
  await choose(page, 'Share a link')
  await page.getByRole('radio', { name: 'The whole tree' }).check()
  await page.getByRole('button', { name: 'Make the link' }).click()
  const reader = await stranger(await page.getByLabel('Address of the link').inputValue())
  await reader.getByText('By train.').waitFor()
  await reader.getByRole('button', { name: 'Previous branch' }).click()
  await reader.getByText('By boat.').waitFor()
})

test('an exported conversation is imported in the browser; a file that is none says why', async () => {
  const page = await openPage()
  await say(page, 'How do we get there?')
  await done(page)
  const [download] = await Promise.all([page.waitForEvent('download'), choose(page, 'Export as JSON')])
  const input = page.getByLabel('Conversation to import')
  await input.setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('Dear all') })
  await page.getByText(/belongs to no message|cannot be imported/).waitFor()
  const before = page.url()
  await input.setInputFiles(await download.path())
  await eventually(() => page.url()).not.toBe(before)
  await page.getByText('By boat.').waitFor()
  await eventually(() => page.locator('.conversation').count()).toBe(2)
})

test('on a phone the reason why a file cannot be imported lies under nothing', async () => {
  const page = await openPage()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Conversations' }).click()
  const note = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('Dear all') }
  await page.getByLabel('Conversation to import').setInputFiles(note)
  // A click lands on what is seen there.
  await page.getByText('cannot be imported').click()
})

test('a conversation is shared with a person to talk in, not with a viewer, and taken back', async () => {
  const store = memoryStore()
  const tokens = 'ada:a-token:owner,bob:b-token:member,eve:e-token:viewer'
  await app.serve({ model: scriptedModel(['By boat.']), store }, { store, token: undefined, tokens })
  const page = await app.page({}, 'a-token')
  await say(page, 'How do we get there?')
  await done(page)
  await choose(page, 'Share with a person')
  const dialog = page.getByRole('dialog', { name: 'Share with a person' })
  const share = async (name: string) => {
    await dialog.getByLabel('Name of the person').fill(name)
    await dialog.getByLabel('What they may do').selectOption('reads and talks')
    await dialog.getByRole('button', { name: 'Share', exact: true }).click()
  }
  await share('eve')
  await page.getByText('eve is a viewer here, and viewers only read.').waitFor()
  expect(await violations(page)).toEqual([])
  await share('bob')
  await dialog.getByText('reads and talks', { exact: true }).last().waitFor()
  const bob = await app.page({}, 'b-token')
  await bob.locator('.conversation').waitFor()
  await dialog.getByRole('button', { name: 'Share no longer with bob' }).click()
  await eventually(() => bob.locator('.conversation').count()).toBe(0)
})
