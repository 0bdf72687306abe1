import { createAgent, type Message, pipeline, stage, textOf } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import judge from './hook.ts'

declare module 'turnbuckle' {
  interface OwnStages {
    moderate: { input: Message; result: { rude: boolean } }
  }
}

const moderate = stage({
  name: 'moderate',
  description: 'looks at the tone of a reply',
  run: (_ctx, reply: Message) => ({ rude: /landlubber/.test(textOf(reply)) }),
})

const model = scriptedModel(['Off my deck, landlubber!', 'Welcome aboard! Mind the ropes.'])

export const message = 'May I come aboard?'
export default createAgent({ model, pipeline: pipeline().after('model', moderate), use: [judge] })
