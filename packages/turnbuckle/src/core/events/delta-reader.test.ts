import { createAgent, type Middleware, middleware, type TextDelta, type Turn } from 'turnbuckle'
import { critic, retry } from 'turnbuckle/middleware'
import { type ScriptedStep, scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const broken: ScriptedStep = { chunks: [{ type: 'text', text: 'Let me' }], error: new Error('down') }
const changed = middleware({
  name: 'changed',
  wrapModel: async (_ctx, next) => ({ ...(await next()), content: [{ type: 'text', text: 'Hidden.' }] }),
})

/** Follows every delta; fails where something is withdrawn that is not the end of the text. */
async function follow(turn: Turn): Promise<{ shown: string; deltas: TextDelta[] }> {
  let shown = ''
  const deltas: TextDelta[] = []
  for await (const delta of turn.deltas) {
    deltas.push(delta)
    if ('text' in delta) shown += delta.text
    else {
      expect(shown.endsWith(delta.withdrawn)).toBe(true)
      shown = shown.slice(0, shown.length - delta.withdrawn.length)
    }
  }
  return { shown, deltas }
}

test.each<{ what: string; script: ScriptedStep[]; use: Middleware[]; shown: string; withdrawn: string[] }>([
  {
    what: 'a retry',
    script: [broken, 'Let me see.'],
    use: [retry({ baseMs: 0 })],
    shown: 'Let me see.',
    withdrawn: ['Let me'],
  },
  {
    what: 'a retry in a later step',
    script: [{ text: 'I look.', calls: [{ name: 'none' }] }, broken, 'Nothing there.'],
    use: [retry({ baseMs: 0 })],
    shown: 'I look.\n\nNothing there.',
    withdrawn: ['\n\nLet me'],
  },
  {
    what: 'a critic, whose draft stands in the history',
    script: ['A draft.', 'The answer.'],
    use: [critic(scriptedModel(['REVISE', 'ACCEPT']))],
    shown: 'A draft.\n\nThe answer.',
    withdrawn: [],
  },
  { what: 'a changed reply', script: ['Secret.'], use: [changed], shown: 'Hidden.', withdrawn: ['Secret.'] },
])('who follows the deltas holds the messages that count: $what', async ({ script, use, shown, withdrawn }) => {
  const turn = createAgent({ model: scriptedModel(script), use }).send('go')
  const followed = await follow(turn)
  expect(followed.shown).toBe(shown)
  expect(followed.deltas.flatMap(delta => ('withdrawn' in delta ? [delta.withdrawn] : []))).toEqual(withdrawn)
  const late = await follow(turn)
  expect(late).toEqual({ shown, deltas: [{ text: shown }] })
})
