import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAgent, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { noteLimit } from './note-limit.js'

test('the fourth note of a turn is blocked', async () => {
  const calls = ['a', 'b', 'c', 'd'].map(text => ({ name: 'add_note', args: { text } }))
  const addNote = tool({ name: 'add_note', run: () => 'Noted.' })
  const agent = createAgent({ model: scriptedModel([{ calls }, 'Done.']), tools: [addNote], use: [noteLimit] })
  const { messages, text } = await agent.send('Note a, b, c and d.')
  const results = messages.flatMap(({ content }) =>
    content.flatMap(part => (part.type === 'result' ? [part.status] : [])),
  )
  assert.deepEqual(results, ['ok', 'ok', 'ok', 'blocked'])
  assert.equal(text, 'Done.')
})
