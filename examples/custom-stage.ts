// A stage of your own in the loop. Its hooks exist by its name: beforeModerate, wrapModerate, afterModerate.
import { createAgent, type Message, middleware, pipeline, stage, stop, textOf } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'

declare module 'turnbuckle' {
  interface OwnStages {
    moderate: { input: Message; result: { rude: boolean } }
  }
}

const moderate = stage({
  name: 'moderate',
  description: 'looks at the reply before it is recorded',
  run: ctx => ({ rude: /stupid/i.test(textOf(ctx.draft.reply)) }),
})

const agent = createAgent({
  model: scriptedModel(['What a nice question.', 'What a stupid question.']),
  pipeline: pipeline().after('model', moderate),
  use: [
    middleware({
      name: 'polite',
      afterModerate(ctx) {
        const { rude } = ctx.result
        console.log(`rude: ${rude}`)
        if (rude) return stop('rude', { say: 'Let me put that differently.' })
      },
    }),
  ],
})

const chat = agent.conversation()
for (const question of ['One?', 'Two?']) {
  const { status, text } = await chat.send(question)
  console.log(`${status}: ${text}`)
}
