import { createAgent, offlineTools, tool } from 'turnbuckle'
import mine from './hook.ts'

const dice = tool<{ sides?: number }>({
  name: 'dice',
  run: ({ sides = 6 }) => 1 + Math.floor(Math.random() * sides),
})

// 'offline' needs no key: it calls any tool by its name.
export const message = 'dice {"sides": 20}'
export default createAgent({ model: 'offline', tools: [dice], use: [offlineTools(), mine] })
