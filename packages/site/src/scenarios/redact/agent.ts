import { createAgent, middleware } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import redactor from './hook.ts'

// Prints what the model really streams, before the redactor has it.
const wiretap = middleware({
  name: 'wiretap',
  onChunk(chunk) {
    if (chunk.type === 'text') console.log(`the model said "${chunk.text}"`)
  },
})

const pieces = ['Ask EMP-12', '3456 about ', 'the pump; EM', 'P-654321 has ', 'the key.']
const model = scriptedModel([
  { chunks: [...pieces.map(text => ({ type: 'text', text }) as const), { type: 'finish', reason: 'stop' }] },
])

export const message = 'Who knows about the bilge pump?'
export default createAgent({ model, use: [wiretap, redactor] })
