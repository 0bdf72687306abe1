import { middleware, type Prompt, TurnbuckleError } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { type Served, serve } from '../../test/serve.ts'
import { isOver } from '../../test/socket-client.ts'
import type { Models } from './models.ts'

/** Two models, and the prompts that reached each. */
function twoModels() {
  const sent: { readonly model: string; readonly params: Prompt['params']; readonly instructions: string }[] = []
  const named = (id: string) =>
    scriptedModel(
      [
        ({ params, instructions }) => {
          sent.push({ model: id, params, instructions })
          return `I am ${id}.`
        },
      ],
      { id, repeat: true },
    )
  const [first, second] = [named('first'), named('second')]
  const models: Models = {
    list: async () => ['first', 'second'],
    find: async name => {
      if (name === 'second') return second
      throw new TurnbuckleError('model.unknown', `No model "${name}".`)
    },
  }
  return { first, models, sent }
}

async function say(server: Served, id: string, text: string): Promise<void> {
  const client = await server.follow(id)
  const { body } = await server.call('POST', `/api/conversations/${id}/turns`, { text })
  await client.until(event => isOver(event) && event.turnId === body.turnId)
}

test('a conversation has its own model, instructions and parameters from the next turn on, also after a restart', async () => {
  const { first, models, sent } = twoModels()
  const store = memoryStore()
  const server = await serve({ model: first, store, instructions: 'Be kind.' }, { store, models })
  expect((await server.call('GET', '/api/models')).body).toEqual({
    default: 'first',
    models: [{ id: 'first' }, { id: 'second' }],
  })
  const id = await server.newConversation()
  await say(server, id, 'one')
  const change = { model: 'second', instructions: 'Be brief.', params: { temperature: 0.5, topP: 1 } }
  expect((await server.call('PATCH', `/api/conversations/${id}`, change)).status).toBe(200)
  await server.call('PATCH', `/api/conversations/${id}`, { params: { topP: null } })
  await say(server, id, 'two')
  await server.close()
  const again = await serve({ model: first, store, instructions: 'Be kind.' }, { store, models })
  await say(again, id, 'three')
  const own = { model: 'second', params: { temperature: 0.5 }, instructions: 'Be kind.\n\nBe brief.' }
  expect(sent).toEqual([{ model: 'first', params: {}, instructions: 'Be kind.' }, own, own])
  const { body } = await again.call('GET', `/api/conversations/${id}`)
  expect(body.settings).toEqual({ model: 'second', instructions: 'Be brief.', params: { temperature: 0.5 } })
  await again.call('PATCH', `/api/conversations/${id}`, {
    model: null,
    instructions: null,
    params: { temperature: null },
  })
  expect((await again.call('GET', `/api/conversations/${id}`)).body.settings).toBeUndefined()
})

test('a change while a turn runs is for the next one', async () => {
  const { first, models, sent } = twoModels()
  const server: Served = await serve(
    {
      model: first,
      use: [
        middleware({
          name: 'changes',
          async beforeModel(ctx) {
            await server.call('PATCH', `/api/conversations/${ctx.conversation.id}`, { model: 'second' })
          },
        }),
      ],
    },
    { models },
  )
  const id = await server.newConversation()
  await say(server, id, 'one')
  await say(server, id, 'two')
  expect(sent.map(({ model }) => model)).toEqual(['first', 'second'])
})

test('followers hear of a change; a model that is not there and parameters that make no sense are refused', async () => {
  const { first, models } = twoModels()
  const server = await serve({ model: first }, { models })
  const id = await server.newConversation()
  const client = await server.follow(id)
  const change = (body: unknown) => server.call('PATCH', `/api/conversations/${id}`, body)
  expect(await change({ model: 'third' })).toMatchObject({ status: 422, body: { error: { code: 'model.unknown' } } })
  for (const params of [{ temperature: 9 }, { warmth: 1 }, { maxOutputTokens: 0.5 }])
    expect(await change({ params })).toMatchObject({ status: 400, body: { error: { code: 'body.invalid' } } })
  await change({ model: 'second' })
  expect(await client.until(event => event.type === 'settings.changed')).toMatchObject({
    settings: { model: 'second' },
  })
})

test('the middleware that does it is not among those that people switch', async () => {
  const server = await serve({ model: scriptedModel([]) })
  const { body } = await server.call('GET', '/api/middleware')
  expect(body.middleware.map(({ name }: { name: string }) => name)).not.toContain('conversation-settings')
  expect((await server.call('PATCH', '/api/middleware/conversation-settings', { enabled: false })).status).toBe(404)
})
