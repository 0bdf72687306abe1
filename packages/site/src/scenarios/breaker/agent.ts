import { createAgent, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import breaker from './hook.ts'

const depth = tool<{ at: string }>({ name: 'depth', run: () => 'The echo sounder does not answer.' })
const model = scriptedModel([{ text: 'Let me measure.', calls: [{ name: 'depth', args: { at: 'the pier' } }] }], {
  repeat: true,
})

export const message = 'How deep is it at the pier?'
// A default agent has such a breaker; this one is yours.
export default createAgent({ model, tools: [depth], use: [breaker], breaker: false })
