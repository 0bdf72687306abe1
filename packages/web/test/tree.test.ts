import { tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { testApp } from './open-app.ts'
import { add, box, callsAdd, say, steppedModel } from './page.ts'

const app = testApp()

test('the tree shows branches and the head; a click goes there; two are compared; a subtree is hidden', async () => {
  const page = await app.open({ model: scriptedModel([callsAdd, 'Left end.', 'Right end.']), tools: [add] })
  await say(page, 'go left')
  await page.getByText('Left end.').waitFor()
  await page.getByRole('button', { name: /Edit and send again/ }).click()
  await page.getByLabel('Edit your message').fill('go right')
  await page.keyboard.press('Enter')
  await page.getByText('Right end.').waitFor()
  await page.keyboard.press('Alt+t')
  const node = (text: string) => page.locator('.tree-node', { hasText: text })
  await node('Right end.').waitFor()
  await expect.poll(() => page.locator('.tree-node').count()).toBe(6)
  expect(await node('add → ok').getAttribute('data-role')).toBe('tool')
  expect(await page.locator('.tree-node[aria-current]').textContent()).toContain('Right end.')
  await page.getByLabel('Find in this tree').fill('left end')
  await page.getByText('1 found').waitFor()
  expect(await node('Right end.').getAttribute('data-dim')).toBe('true')
  await page.getByLabel('Find in this tree').fill('')
  await node('Left end.').click()
  await page.locator('.tree-node[aria-current]', { hasText: 'Left end.' }).waitFor()
  await page.getByRole('button', { name: 'Compare two branches' }).click()
  await node('Left end.').click()
  await node('Right end.').click()
  await page.getByLabel('First branch').getByText('Left end.').waitFor()
  await page.getByLabel('Second branch').getByText('Right end.').waitFor()
  await page.getByRole('button', { name: 'Close the comparison' }).click()
  await page.getByRole('button', { name: 'Compare two branches' }).click()
  await page.getByRole('button', { name: 'Hide' }).click()
  await page.getByRole('button', { name: 'Hide the subtree' }).click()
  await expect.poll(() => page.locator('.tree-node').count()).toBe(5)
  await page.getByRole('button', { name: 'Go on from here' }).click()
  await box(page).waitFor()
  expect(app.complaints).toEqual([])
})

test('the running tip is live in the tree', async () => {
  const { model, say: speak, end } = steppedModel()
  const page = await app.open({ model })
  await say(page, 'talk')
  await page.keyboard.press('Alt+t')
  await page.locator('.tree-node .tip').waitFor()
  speak('done')
  end()
  await page.locator('.tree-node', { hasText: 'done' }).waitFor()
  expect(await page.locator('.tree-node .tip').count()).toBe(0)
})

test('5,000 messages: the tree opens, pans and finds', async () => {
  const { id, nodes } = await bigConversation()
  expect(nodes).toBe(5000)
  const page = await app.page()
  await page.goto(`${app.server.url}/c/${id}`)
  await box(page).waitFor()
  await page.keyboard.press('Alt+t')
  await page.locator('.tree-node[aria-current]').waitFor()
  expect(await page.locator('.tree-node').count()).toBeLessThan(400)
  await page.getByLabel('Find in this tree').fill('reply 142')
  await page.getByText('1 found').waitFor()
  await page.locator('.tree-node[data-dim="false"]', { hasText: 'reply 142' }).waitFor()
  await page.getByLabel('Find in this tree').fill('')
  const place = () => page.locator('.react-flow__viewport').getAttribute('style')
  const before = await place()
  await page.mouse.move(700, 450)
  await page.mouse.down()
  await page.mouse.move(500, 250, { steps: 10 })
  await page.mouse.up()
  expect(await place()).not.toBe(before)
  expect(await page.locator('.tree-node').count()).toBeLessThan(400)
})

/** A conversation of 5,000 messages: twenty branches of ten turns with 25 messages each. */
async function bigConversation(): Promise<{ id: string; nodes: number }> {
  let turns = 0
  const noop = tool({ name: 'noop', run: () => 'ok' })
  const calls = Array.from({ length: 22 }, (_, i) => ({ name: 'noop', args: { i } }))
  const model = scriptedModel([{ calls }, () => `reply ${turns++}`], { repeat: true })
  const { call } = await app.serve({ model, tools: [noop] })
  const { id } = (await call('POST', '/api/conversations', {})).body
  let fork: string | null = null
  for (let branch = 0; branch < 20; branch++)
    for (let i = 0; i < 10; i++) {
      const parent = i === 0 && fork ? { parentId: fork } : {}
      await call('POST', `/api/conversations/${id}/turns`, { text: `question ${branch}.${i}`, ...parent })
      let head: string | null = null
      while (head === null) {
        const { conversations } = (await call('GET', '/api/conversations')).body
        if (!conversations[0].running) head = conversations[0].head
      }
      fork ??= head
    }
  return { id, nodes: (await call('GET', `/api/conversations/${id}`)).body.nodes.length }
}
