import { createAgent } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import twoWays from './hook.ts'

const model = scriptedModel(
  [
    ({ instructions }) =>
      instructions.includes('brief')
        ? 'Wind south-west, force 4. Sail.'
        : 'What a lovely day to ask! The wind blows kindly from the south-west, force 4, and the sea is calm.',
  ],
  { repeat: true },
)

export const message = 'Can we go out today?'
export default createAgent({ model, use: [twoWays] })
