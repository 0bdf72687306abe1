import { createAgent } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import twice from './hook.ts'

const model = scriptedModel([
  { text: 'Dear Ada, the boat is ready and we sail at', error: new Error('connection reset') },
  'Dear Ada, the boat is ready. We sail on Friday with the tide.',
])

export const message = 'Write to Ada that we can sail.'
export default createAgent({ model, use: [twice] })
