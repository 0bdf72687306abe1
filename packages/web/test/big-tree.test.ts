import { type Model, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { testApp } from './open-app.ts'
import { box, eventually, say, steppedModel, work } from './page.ts'

const app = testApp()

test('5,000 messages: what is drawn is bounded near and far; it opens, pans, finds, and shows all at once', async () => {
  const { id, nodes } = await bigConversation(scriptedTurns())
  expect(nodes).toBe(5000)
  const page = await app.page({ reducedMotion: 'reduce' })
  await page.goto(`${app.server.url}/c/${id}`)
  await box(page).waitFor()
  await page.keyboard.press('Alt+t')
  await page.locator('.tree-node[aria-current]').waitFor()
  const drawn = () => page.locator('.tree *').count()
  const most = 2500
  await eventually(() => drawn()).toBeLessThan(most)
  await page.getByLabel('Find in this tree').fill('reply 142')
  await page.getByText('1 found').waitFor()
  await page.locator('.tree-node[data-dim="false"]', { hasText: 'reply 142' }).waitFor()
  await eventually(() => drawn()).toBeLessThan(most)
  await page.getByLabel('Find in this tree').fill('')
  const place = () => page.locator('.react-flow__viewport').getAttribute('style')
  const before = await place()
  await page.mouse.move(700, 450)
  await page.mouse.down()
  await page.mouse.move(500, 250, { steps: 10 })
  await page.mouse.up()
  await eventually(() => place()).not.toBe(before)
  await eventually(() => drawn()).toBeLessThan(most)
  await page.getByRole('button', { name: 'Fit' }).click()
  const overview = page.getByRole('img', { name: '5000 messages from far away' })
  await overview.waitFor()
  await eventually(() => page.locator('.tree-node').count()).toBe(0)
  await eventually(() => overview.evaluate(painted)).toBeGreaterThan(0.005)
  await page.mouse.click(780, 400)
  await page.locator('.tree-node').first().waitFor()
  await eventually(() => drawn()).toBeLessThan(most)
})

/** The share of a canvas that is not blank. */
function painted(canvas: SVGElement | HTMLElement): number {
  if (!(canvas instanceof HTMLCanvasElement)) return 0
  const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] }
  let seen = 0
  for (let i = 3; i < data.length; i += 4) if (data[i]) seen++
  return (seen * 4) / data.length
}

test('5,000 messages: words that stream in draw once a frame in the tree, and only what the running branch has cost', async () => {
  const scripted = scriptedTurns()
  const { model: talks, say: speak, end } = steppedModel()
  const model: Model = {
    id: 'both',
    stream: (prompt, options) =>
      (JSON.stringify(prompt.messages.at(-1)).includes('talk') ? talks : scripted).stream(prompt, options),
  }
  const { id } = await bigConversation(model)
  const page = await app.page()
  await page.goto(`${app.server.url}/c/${id}`)
  await box(page).waitFor()
  const { holdFrames, hears, frame } = await work(page)
  await say(page, 'talk')
  speak('first ')
  await page.getByText('first').waitFor()
  await page.keyboard.press('Alt+t')
  await page.locator('.tree-node .tip').waitFor()
  await page.evaluate(() => {
    const tree = document.querySelector('.tree')
    const changes: string[] = []
    Object.assign(window, { changes })
    const isCost = (node: Node) => node.parentElement?.className === 'tree-spent'
    const watch = new MutationObserver(list =>
      changes.push(...list.filter(({ target }) => !isCost(target)).map(({ type, target }) => `${type} ${target}`)),
    )
    if (tree) watch.observe(tree, { subtree: true, childList: true, attributes: true, characterData: true })
  })
  await holdFrames()
  await frame()
  await page.evaluate('changes.length = 0')
  for (let i = 0; i < 200; i++) speak(`word${i} `)
  await hears('word199')
  const spent = page.locator('.tree-node', { has: page.locator('.tip') }).locator('.tree-spent')
  const before = await spent.textContent()
  expect(await frame()).toBe(1)
  expect(await spent.textContent()).not.toBe(before)
  expect(await page.evaluate('changes')).toEqual([])
  await page.keyboard.press('Alt+t')
  await page.getByText('word199').waitFor()
  end()
})

function scriptedTurns(): Model {
  let turns = 0
  const calls = Array.from({ length: 22 }, (_, i) => ({ name: 'noop', args: { i } }))
  return scriptedModel([{ calls }, () => `reply ${turns++}`], { repeat: true })
}

/** A conversation of 5,000 messages: twenty branches of ten turns with 25 messages each. */
async function bigConversation(model: Model): Promise<{ id: string; nodes: number }> {
  const noop = tool({ name: 'noop', run: () => 'ok' })
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
