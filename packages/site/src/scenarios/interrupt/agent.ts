import { createAgent, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import lookout from './hook.ts'

const log = tool<{ day: number }>({ name: 'open_logbook', run: ({ day }) => `day ${day}: fog` })
const model = scriptedModel([
  { text: 'I open the logbook.', calls: [{ name: 'open_logbook', args: { day: 12 } }] },
  'On the twelfth day we saw nothing but fog. The cook rang the bell every quarter of an hour, and somewhere ahead ' +
    'of us another bell answered. We never learned whose it was. At noon the wind came back and the bell fell behind us.',
])

export const message = 'Read to me from the logbook.'
export default createAgent({ model, tools: [log], use: [lookout] })
