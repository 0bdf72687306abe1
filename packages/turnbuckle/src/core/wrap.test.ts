import { createAgent, middleware } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

describe('a wrap that fails open', () => {
  test.each([
    {
      name: 'after the stage failed, leaves the error of the stage',
      script: [{ error: new Error('provider down') }],
      is: { status: 'failed', by: 'model', reason: 'provider down' },
    },
    {
      name: 'after the stage succeeded, leaves its result',
      script: ['hello'],
      is: { status: 'completed', text: 'hello' },
    },
  ])('$name', async ({ script, is }) => {
    const log = middleware({
      name: 'log',
      onFailure: 'open',
      async wrapModel(_ctx, next) {
        await next().catch(() => {})
        throw new Error('disk full')
      },
    })
    expect(await createAgent({ model: scriptedModel(script), use: [log] }).send('hi').settled).toMatchObject(is)
  })
})
