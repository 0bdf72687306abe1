import { statSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { testApp } from './open-app.ts'
import { box, done, eventually, say, steppedModel } from './page.ts'
import { violations } from './violations.ts'

const app = testApp()

/** A page of a server that keeps files beside the log, as `turnbuckle serve` does. */
async function openPage(options?: Parameters<typeof app.page>[0]): Promise<Page> {
  const store = memoryStore()
  await app.serve({ model: scriptedModel(['Ok.'], { repeat: true }), store }, { store })
  return app.page(options)
}

/** Drops a picture of the given size, or pastes it, where the page's `target` is. */
const givePicture = (page: Page, how: 'drop' | 'paste', target: string, [width, height]: [number, number]) =>
  page.evaluate(
    async ({ how: event, target: selector, size }) => {
      const canvas = new OffscreenCanvas(size[0] ?? 1, size[1] ?? 1)
      const context = canvas.getContext('2d')
      if (context) context.fillStyle = 'teal'
      context?.fillRect(0, 0, canvas.width, canvas.height)
      const data = new DataTransfer()
      data.items.add(new File([await canvas.convertToBlob()], `${event}.png`, { type: 'image/png' }))
      const element = document.querySelector(selector)
      const options = { bubbles: true, cancelable: true }
      if (event === 'drop') element?.dispatchEvent(new DragEvent('dragenter', { dataTransfer: data, ...options }))
      element?.dispatchEvent(
        event === 'drop'
          ? new DragEvent('drop', { dataTransfer: data, ...options })
          : new ClipboardEvent('paste', { clipboardData: data, ...options }),
      )
    },
    { how, target, size: [width, height] },
  )

test('a picture is dropped anywhere or pasted, scaled down, uploaded, kept in the draft, and looked at in large', async () => {
  const page = await openPage()
  await givePicture(page, 'drop', '.rail', [4000, 4000])
  const attached = page.getByLabel('Attached')
  await attached.getByRole('button', { name: 'Look at drop.png' }).waitFor()
  await givePicture(page, 'paste', '#composer', [30, 20])
  await attached.getByRole('button', { name: 'Look at paste.png' }).waitFor()
  await page.reload()
  await attached.getByRole('button', { name: 'Look at drop.png' }).waitFor()
  await say(page, 'see')
  await done(page)
  const sent = page.locator('.message.user')
  const first = sent.getByRole('button', { name: 'Look at drop.png' })
  await eventually(() => first.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(2048)
  await eventually(() => attached.count()).toBe(0)
  await first.focus()
  await page.keyboard.press('Enter')
  const lightbox = page.getByRole('dialog', { name: 'drop.png' })
  await lightbox.waitFor()
  const large = await lightbox.locator('img').boundingBox()
  expect((large?.y ?? 0) + (large?.height ?? 0)).toBeLessThanOrEqual(800)
  expect(await violations(page)).toEqual([])
  for (let i = 0; i < 8; i++) {
    await page.keyboard.press('Tab')
    expect(
      await page.evaluate(
        () => document.activeElement === document.body || !!document.activeElement?.closest('dialog'),
      ),
    ).toBe(true)
  }
  await page.keyboard.press('ArrowRight')
  await page.getByRole('dialog', { name: 'paste.png' }).waitFor()
  await page.keyboard.press('Escape')
  await eventually(() => page.getByRole('dialog').count()).toBe(0)
  await eventually(() => first.evaluate(button => document.activeElement === button)).toBe(true)
  expect(app.complaints).toEqual([])
})

test('while files are held over the page, it says that they may be dropped, over nothing that is read with it', async () => {
  const page = await openPage()
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['words'], 'notes.txt'))
    document.body.dispatchEvent(new DragEvent('dragenter', { dataTransfer, bubbles: true }))
  })
  await page.getByRole('status').getByText('Drop files to attach them').waitFor()
  expect(await violations(page)).toEqual([])
  await page.evaluate(() => document.body.dispatchEvent(new DragEvent('dragleave', { bubbles: true })))
  await eventually(() => page.getByText('Drop files to attach them').count()).toBe(0)
})

test('what is dropped over the tree is attached, and a notice says so', async () => {
  const page = await openPage()
  await say(page, 'hello')
  await done(page)
  await page.keyboard.press('Alt+t')
  await page.locator('.tree-node').first().waitFor()
  await givePicture(page, 'drop', '.tree', [30, 20])
  await page.getByText('Attached to your next message.').waitFor()
  await page.keyboard.press('Alt+t')
  await page.getByRole('button', { name: 'Look at drop.png' }).waitFor()
})

test('a file of more than 20 MB stays out of the message, and says why; others are sent and can be saved', async () => {
  const page = await openPage()
  const input = page.getByLabel('Files to attach')
  await input.evaluate((element: HTMLInputElement) => {
    const data = new DataTransfer()
    data.items.add(new File([new Uint8Array(20 * 1024 * 1024 + 1)], 'huge.bin'))
    data.items.add(new File([new Uint8Array(20 * 1024 * 1024)], 'most.bin'))
    data.items.add(new File(['<script>'], 'page.html', { type: 'text/html' }))
    element.files = data.files
    element.dispatchEvent(new Event('change', { bubbles: true }))
  })
  await page.getByText('Larger than 20 MB').waitFor()
  await say(page, 'read')
  await page.getByText('huge.bin could not be uploaded').waitFor()
  await eventually(() => page.locator('.message').count()).toBe(0)
  await page.getByRole('button', { name: 'Remove huge.bin' }).click()
  await box(page).press('Enter')
  await done(page)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save page.html' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('page.html')
  const [most] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save most.bin' }).click(),
  ])
  expect(statSync(await most.path()).size).toBe(20 * 1024 * 1024)
})

test('files are attached while a turn runs, and go with the message after it', async () => {
  const { model, say: speak, end } = steppedModel()
  const store = memoryStore()
  await app.serve({ model, store }, { store })
  const page = await app.page()
  await say(page, 'wait')
  await page.getByRole('button', { name: 'Stop (ESC ESC)' }).waitFor()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Attach files' }).click(),
  ])
  await chooser.setFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('words') })
  await page.locator('.attached-name', { hasText: 'notes.txt' }).waitFor()
  await box(page).fill('read it')
  await page.getByRole('button', { name: 'Send after this turn' }).click()
  await page.getByRole('listitem').getByText('notes.txt · read it').waitFor()
  speak('done')
  end()
  await page.locator('.message.user', { hasText: 'notes.txt' }).waitFor()
})

test('the name of a file that is too long for a phone ends with an ellipsis', async () => {
  const page = await openPage()
  await page.setViewportSize({ width: 360, height: 700 })
  const file = { name: `${'a-rather-long-name-'.repeat(5)}.txt`, mimeType: 'text/plain', buffer: Buffer.from('x') }
  await page.getByLabel('Files to attach').setInputFiles(file)
  const name = page.locator('.attached-name')
  await name.waitFor()
  expect(await name.evaluate(one => one.scrollWidth > one.clientWidth)).toBe(true)
  const drawn = await name.evaluate(one => [getComputedStyle(one).display, getComputedStyle(one).textOverflow])
  // The ellipsis is drawn only in a block.
  expect(drawn).toEqual(['block', 'ellipsis'])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
})

test('attachments and pastes belong to the draft of their conversation', async () => {
  const page = await openPage()
  await app.server.newConversation('First')
  await givePicture(page, 'paste', '#composer', [30, 20])
  await page.getByRole('button', { name: 'Look at paste.png' }).waitFor()
  await page.getByRole('link', { name: 'First' }).click()
  await eventually(() => page.getByLabel('Attached').count()).toBe(0)
  await page.getByRole('button', { name: 'New conversation' }).click()
  await page.getByRole('button', { name: 'Look at paste.png' }).waitFor()
})

const paste = (page: Page, text: string) =>
  box(page).evaluate((element, words) => {
    const data = new DataTransfer()
    data.setData('text/plain', words)
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }, text)

test('a long paste is folded, opened, edited, removed, and sent behind the words', async () => {
  const page = await openPage()
  const lines = Array.from({ length: 500 }, (_, i) => `line ${i}`).join('\n')
  await paste(page, lines)
  const folded = page.getByRole('button', { name: 'Open: Pasted 500 lines' })
  await folded.click()
  const area = page.getByRole('textbox', { name: 'Pasted text' })
  await eventually(() => area.inputValue()).toBe(lines)
  const [inner, outer] = [await area.boundingBox(), await page.getByRole('dialog').boundingBox()]
  expect(inner?.width).toBeLessThan(outer?.width ?? 0)
  expect(await violations(page)).toEqual([])
  await area.fill('line a\nline b')
  await page.getByRole('button', { name: 'Keep the changes' }).click()
  await page.getByRole('button', { name: 'Open: Pasted 2 lines' }).waitFor()
  await paste(page, lines)
  await page.getByRole('button', { name: 'Remove: Pasted 500 lines' }).click()
  await say(page, 'see')
  await done(page)
  await eventually(() => page.locator('.said').textContent()).toBe('see\n\nline a\nline b')
  await eventually(() => page.getByLabel('Pasted').count()).toBe(0)
})

test('the title of a conversation is the person’s words, not the paste behind them', async () => {
  const page = await openPage()
  await paste(page, Array.from({ length: 300 }, (_, i) => `line ${i}`).join('\n'))
  await say(page, 'Why does this fail?')
  await done(page)
  const title = page.getByRole('heading', { level: 1 })
  await eventually(() => title.textContent()).toBe('Why does this fail?')
  await eventually(() => page.locator('.conversation-title').first().textContent()).toBe('Why does this fail?')
  await page.reload()
  await eventually(() => title.textContent()).toBe('Why does this fail?')
})

test('a long text that was sent is folded to its beginning, and opens', async () => {
  const page = await openPage()
  await paste(page, Array.from({ length: 300 }, (_, i) => `line ${i}`).join('\n'))
  await say(page, 'see')
  await done(page)
  const said = page.locator('.said')
  await eventually(() => said.textContent()).toContain('line 9 …')
  await page.getByRole('button', { name: 'Show all 302 lines' }).click()
  await eventually(() => said.textContent()).toContain('line 299')
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Show less' }).click()
  await eventually(() => said.textContent()).not.toContain('line 299')
})

test('a paste of 200 kB never enters the message box, and typing beside it does not draw it', async () => {
  const page = await openPage()
  await paste(page, 'words of a log\n'.repeat(14_000))
  await page.getByRole('button', { name: /Open: Pasted 14,000 lines/ }).waitFor()
  await eventually(() => box(page).inputValue()).toBe('')
  expect(await page.evaluate(() => document.body.textContent?.length ?? 0)).toBeLessThan(20_000)
})
