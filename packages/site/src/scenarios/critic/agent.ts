import { createAgent } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import critic from './hook.ts'

const model = scriptedModel([
  'Six coils of twenty metres are 140 metres of rope.',
  'Let me count again: 126 metres.',
  'It is 120 metres of rope.',
])

export const message = 'How much rope is on six coils of 20 metres?'
export default createAgent({ model, use: [critic] })
