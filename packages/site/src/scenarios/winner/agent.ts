import { createAgent } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import hooks from './hook.ts'

const model = scriptedModel([
  'What shall we do with a drunken sailor?',
  'Put him in the long-boat till he is sober.',
  'Way, hey, and up she rises!',
])

export const message = 'Sing me a shanty.'
export default createAgent({ model, use: hooks })
