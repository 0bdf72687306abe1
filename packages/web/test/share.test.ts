import type { Page } from 'playwright-core'
import { createClient } from 'turnbuckle/client'
import { approval } from 'turnbuckle/middleware'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { testApp } from './open-app.ts'
import { add, box, callsAdd, done, eventually, say } from './page.ts'
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

/** Drops a file on the page, and tells whether the browser would open it in the page's place. */
const dropFile = (page: Page): Promise<{ opensFile: boolean }> =>
  page.evaluate(() => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['words'], 'notes.txt'))
    const events = ['dragenter', 'dragover', 'drop'].map(
      name => new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true }),
    )
    for (const event of events) document.body.dispatchEvent(event)
    return { opensFile: events.slice(1).some(event => !event.defaultPrevented) }
  })

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
  await dialog.getByText('2 messages, up to where you are, with what sub-agents did for them.').waitFor()
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
  await page.getByText(/no conversation that Turnbuckle exported/).waitFor()
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
  expect(await violations(page)).toEqual([])
  const bob = await app.page({}, 'b-token')
  await bob.locator('.conversation').waitFor()
  await dialog.getByRole('button', { name: 'Share no longer with bob' }).click()
  await eventually(() => bob.locator('.conversation').count()).toBe(0)
})

test('who may only read is offered nothing that the server would refuse', async () => {
  const store = memoryStore()
  const tokens = 'ada:a-token:owner,bob:b-token:member,eve:e-token:viewer'
  const model = scriptedModel([callsAdd, 'Five.'])
  const given = { model, store, tools: [add], use: [approval()] }
  const server = await app.serve(given, { store, token: undefined, tokens })
  const ada = await app.page({}, 'a-token')
  await say(ada, 'How much?')
  await ada.getByRole('button', { name: 'Allow', exact: true }).waitFor()
  const id = new URL(ada.url()).pathname.slice('/c/'.length)
  const client = createClient({ url: server.url, token: 'a-token' })
  for (const name of ['bob', 'eve']) await client.sharePerson(id, name, 'read')
  const [bob, eve] = [await app.page({}, 'b-token'), await app.page({}, 'e-token')]
  await eve.getByText('The list has the conversations that others share with you.').waitFor()
  expect(await eve.getByRole('button', { name: /New conversation|Import/ }).count()).toBe(0)
  for (const page of [bob, eve]) {
    await page.locator('.conversation', { hasText: 'Waits for an answerada’s' }).click()
    await page.getByText('ada shares this conversation with you to read.').waitFor()
    await eventually(() => page.title()).toBe('How much? · Turnbuckle')
    await page.getByText('A question waits for an answer of somebody else.').waitFor()
    expect(await page.getByRole('button', { name: /Allow|Deny|Send|Stop|Attach|Edit and send/ }).count()).toBe(0)
    expect(await box(page).count()).toBe(0)
    expect(await dropFile(page)).toEqual({ opensFile: false })
  }
  expect(await bob.getByText('Drop files to attach them').count()).toBe(0)
  await ada.getByRole('button', { name: 'Allow', exact: true }).click()
  for (const page of [bob, eve]) {
    await page.getByText('Five.').waitFor()
    await eventually(() => page.getByRole('button', { name: 'Copy' }).count()).toBeGreaterThan(1)
    expect(await page.getByRole('button', { name: /Try again|Edit and send/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'Actions for How much?' }).click()
    const items = page.getByRole('menuitem')
    await eventually(() => items.allTextContents()).toEqual([' Export as Markdown', ' Export as JSON'])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Alt+t')
    await page.getByText('You are here:').waitFor()
    expect(await page.getByRole('button', { name: 'Hide', exact: true }).count()).toBe(0)
    expect(await violations(page)).toEqual([])
  }
  await client.sharePerson(id, 'bob', 'talk')
  await bob.keyboard.press('Alt+t')
  await box(bob).waitFor()
  expect(app.complaints).toEqual([])
})

test('an owner who reads somebody else’s conversation can switch a guard off for everyone alone', async () => {
  const store = memoryStore()
  const tokens = 'ada:a-token:owner,bob:b-token:member'
  const server = await app.serve(
    { model: scriptedModel(['By boat.']), store, use: [approval()] },
    { store, token: undefined, tokens },
  )
  const bob = createClient({ url: server.url, token: 'b-token' })
  const { id } = await bob.createConversation('Trip')
  await bob.sharePerson(id, 'ada', 'read')
  const page = await app.page({}, 'a-token')
  await page.locator('.conversation', { hasText: 'Trip' }).click()
  await page.getByText('bob shares this conversation with you to read.').waitFor()
  await page.keyboard.press('Alt+i')
  await page.getByRole('tab', { name: 'Middleware' }).click()
  await page.getByRole('switch', { name: 'approval is on' }).click()
  const dialog = page.getByRole('dialog', { name: 'Switch off approval?' })
  await eventually(() => dialog.getByRole('button').allTextContents()).toEqual(['Keep it on', 'Off for everyone'])
})
