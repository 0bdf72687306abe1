import { createAgent, middleware, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'

/** An agent whose hooks note the ids that they see, with a model that names every call `c`. */
function agentThatNotes(steps: number) {
  const seen: string[] = []
  const note = middleware({
    name: 'note',
    onChunk(chunk) {
      if (chunk.type === 'calling' || chunk.type === 'call' || chunk.type === 'result')
        seen.push(`${chunk.type} ${chunk.id}`)
      return chunk
    },
    beforeTool: ({ call }) => void seen.push(`runs ${call.id}`),
  })
  const look = tool({ name: 'look', input: z.object({ at: z.number() }), run: () => 'seen' })
  const asks = Array.from({ length: steps }, (_, at) => ({ calls: [{ id: 'c', name: 'look', args: { at } }] }))
  const model = scriptedModel([...asks, 'Done.'])
  return { seen, agent: createAgent({ model, tools: [look], use: [note] }) }
}

test('a hook knows a call by one id from its chunk to its tool, also where the provider uses ids again', async () => {
  const { seen, agent } = agentThatNotes(3)
  const result = await agent.send('Go')
  const ids = result.messages.flatMap(({ content }) => content).flatMap(part => (part.type === 'call' ? [part.id] : []))
  expect(new Set(ids).size).toBe(3)
  expect(seen).toEqual(ids.flatMap(id => [`call ${id}`, `runs ${id}`]))
})

test('two calls of one reply by one id are two for a hook that holds the first back', async () => {
  const held: unknown[] = []
  const passed: string[] = []
  const hold = middleware({
    name: 'hold',
    onChunk(chunk) {
      if (chunk.type === 'end') return held.splice(0) as never
      if (chunk.type !== 'call') return chunk
      passed.push(chunk.id)
      held.push(chunk)
      return []
    },
  })
  const ran: unknown[] = []
  const look = tool({ name: 'look', input: z.object({ at: z.number() }), run: ({ at }) => void ran.push(at) })
  const call = (at: number) => ({ id: 'c', name: 'look', args: { at } })
  const agent = createAgent({
    model: scriptedModel([{ calls: [call(1), call(2)] }, 'Done.']),
    tools: [look],
    use: [hold],
  })
  await agent.send('Go')
  expect([new Set(passed).size, ran]).toEqual([2, [1, 2]])
})
