import { createAgent } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import cache from './hook.ts'

let asked = 0
const model = scriptedModel([() => `High water is at 14:20. The model was asked ${++asked} times.`], { repeat: true })

// Two turns: the second is answered without the model.
export const message = ['When is high water?', 'When is high water?']
export default createAgent({ model, use: [cache] })
