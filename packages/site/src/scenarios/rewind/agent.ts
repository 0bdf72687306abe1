import { createAgent } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import testsPass from './hook.ts'

const model = scriptedModel(['return a - b', 'return a * b', 'return a + b'])

export const message = 'Write the body of add(a, b).'
export default createAgent({ model, use: [testsPass] })
