import { tool } from 'turnbuckle'

export const add = tool({ name: 'add', run: ({ a, b }) => Number(a) + Number(b) })
export const callsAdd = { text: 'Let me see.', calls: [{ name: 'add', args: { a: 2, b: 3 } }] }
