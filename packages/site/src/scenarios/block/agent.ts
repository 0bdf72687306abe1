import { createAgent, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import noDeletes from './hook.ts'

const readFile = tool<{ path: string }>({ name: 'read_file', run: ({ path }) => `${path}: milk, eggs, rope` })
const deleteFile = tool<{ path: string }>({ name: 'delete_file', run: ({ path }) => `${path} is gone.` })

// Stands in for a model: one entry for each time it is asked.
const model = scriptedModel([
  { text: 'Let me look at it first.', calls: [{ name: 'read_file', args: { path: 'list.txt' } }] },
  { text: 'A shopping list. I delete it.', calls: [{ name: 'delete_file', args: { path: 'list.txt' } }] },
  ({ messages }) =>
    JSON.stringify(messages.at(-1)).includes('blocked')
      ? 'I may not delete files here, so list.txt is still there.'
      : 'Done: list.txt is gone.',
])

export const message = 'Tidy up: delete list.txt.'
export default createAgent({ model, tools: [readFile, deleteFile], use: [noDeletes] })
