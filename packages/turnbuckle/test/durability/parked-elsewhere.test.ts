import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent, textOf, tool } from 'turnbuckle'
import { approval, explore } from 'turnbuckle/middleware'
import { type ConversationStore, sqliteStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { agentTool } from 'turnbuckle/tools'
import { afterEach, beforeEach, expect, test } from 'vitest'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnbuckle-parked-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))
const open = () => sqliteStore(join(folder, 'c.db'))

test('a handle opened while a turn was parked goes on after what another process made of it', async () => {
  const work = (script: Parameters<typeof scriptedModel>[0]) => {
    const store = open()
    const tools = [tool({ name: 'a', run: () => 1 })]
    const agent = createAgent({ store, model: scriptedModel(script), tools, use: [approval()] })
    const end = async () => {
      await agent.close()
      await store.close()
    }
    return { agent, end }
  }
  const first = work([{ calls: [{ name: 'a' }] }])
  const asking = first.agent.conversation('c').send('Do it')
  for await (const event of asking) if (event.type === 'request.opened') break
  asking.park()
  await first.end()
  const [here, there] = [work(['Reply.']), work(['Done.'])]
  const chat = await here.agent.open('c')
  await there.agent.open('c')
  const resumed = there.agent.resume('c')
  for await (const event of resumed ?? [])
    if (event.type === 'request.opened') resumed?.answer(event.requestId, { decision: 'allow' })
  await there.end()
  await chat.send('And now?')
  expect(chat.messages.map(textOf).filter(Boolean)).toEqual(['Do it', 'Done.', 'And now?', 'Reply.'])
  await here.end()
})

test('a sub-agent that explored gives the branch that was chosen, also to the process that goes on', async () => {
  const kid = (store: ConversationStore) => {
    const variants = [{}, { model: scriptedModel(['B']) }]
    const model = scriptedModel([{ text: 'A', delayMs: 30 }])
    return createAgent({ store, model, use: [explore({ variants, judge: () => 0 })] })
  }
  const store = open()
  let give: (text: string) => void = () => {}
  const given = new Promise<string>(resolve => {
    give = resolve
  })
  const hangs = ({ text }: { readonly text: string }) => {
    give(text)
    return new Promise<string>(() => {})
  }
  const calls = scriptedModel([{ calls: [{ name: 'kid', args: { task: 'x' } }] }])
  const agent = createAgent({ store, model: calls, tools: [agentTool(kid(store), { name: 'kid', result: hangs })] })
  const turn = agent.conversation('p').send('x')
  expect(await given).toBe('A')
  turn.park()
  await agent.close()
  await store.close()
  const again = open()
  const tools = [agentTool(kid(again), { name: 'kid' })]
  const other = createAgent({ store: again, model: scriptedModel(['End']), tools })
  await other.open('p')
  const result = await other.resume('p')
  expect(result?.messages[2]?.content[0]).toMatchObject({ status: 'ok', value: 'A' })
  await other.close()
  await again.close()
})
