import { createAgent, type Middleware, middleware } from 'turnbuckle'
import { checkHistory, type ScriptedModel, scriptedModel } from 'turnbuckle/testing'
import { expect } from 'vitest'
import { look } from './looking.ts'
import { resultsOf } from './results-of.ts'

/** A reply with two calls of `look`, then the end. */
export const lookTwice = (): ScriptedModel =>
  scriptedModel([
    {
      text: 'Let me look.',
      calls: [
        { name: 'look', id: 'c1' },
        { name: 'look', id: 'c2', args: { n: 2 } },
      ],
    },
    'Done',
  ])
/** A turn of two calls and a reply, with one hook that acts once. */
export async function turnWith(hook: string, act: () => unknown, more: Middleware[] = []) {
  let acted = false
  const steer = middleware({
    name: 'steer',
    [hook]: (...args: unknown[]) => {
      const next = args[1]
      if (acted) return typeof next === 'function' ? next() : undefined
      acted = true
      return act()
    },
  } as Parameters<typeof middleware>[0])
  const used = lookTwice()
  const chat = createAgent({ model: used, tools: [look], use: [steer, ...more] }).conversation()
  const turn = chat.send('Go')
  const result = await turn.settled
  expect(checkHistory(chat.messages)).toEqual([])
  return { result, turn, chat, calls: used.prompts.length, results: resultsOf(chat.messages) }
}
