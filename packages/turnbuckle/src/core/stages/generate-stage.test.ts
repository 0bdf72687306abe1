import { createAgent, middleware, skip } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

test("a hook's own model call can be answered by another hook", async () => {
  const said: string[] = []
  const use = [
    middleware({ name: 'cache', beforeGenerate: () => skip('Cached.') }),
    middleware({
      name: 'judge',
      async afterModel(ctx) {
        said.push((await ctx.generate(scriptedModel([]), 'Judge.')).text)
      },
    }),
  ]
  await createAgent({ model: scriptedModel(['Hi']), use }).send('Go')
  expect(said).toEqual(['Cached.'])
})
