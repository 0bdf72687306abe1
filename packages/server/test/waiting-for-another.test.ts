import { TurnbuckleError, textOf } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { gate } from './serve.ts'
import {
  asks,
  busy,
  contiguous,
  fallSilent,
  kinds,
  type Sharing,
  says,
  sharedStores,
  start,
  takeNoAnswers,
} from './shared-store.ts'
import { isOver } from './socket-client.ts'

const place = sharedStores()

describe.each(kinds)('while a server waits for another, on %s,', kind => {
  test('who reads there does not wait', async () => {
    const open = await place(kind, 3000)
    const two = await says(open, 'Ho.', asks)
    const one = await busy(open, 'person')
    takeNoAnswers(one.server)
    const path = `/api/conversations/${one.id}`
    await two.call('GET', path)
    let waits = true
    const answered = two.call('POST', `/api/requests/${one.requestId}/answer`, { choice: 1 }).finally(() => {
      waits = false
    })
    await one.server.call('PATCH', path, { title: 'new' })
    await expect.poll(async () => (await two.call('GET', path)).body.title).toBe('new')
    const follower = await two.follow(one.id)
    await follower.until(({ type }) => type === 'title.changed')
    expect(waits).toBe(true)
    expect(await answered).toMatchObject({ status: 409, body: { error: { code: 'conversation.locked' } } })
  })

  test('who reads a turn that it would resume sees what the other does', async () => {
    const open = await place(kind, 3000)
    const one = await busy(open, 'person')
    const two = await says(open, 'Ho.', asks)
    const path = `/api/conversations/${one.id}`
    expect((await two.call('GET', path)).body.requests).toMatchObject([{ id: one.requestId }])
    await one.server.call('PATCH', path, { title: 'new' })
    expect((await two.call('GET', path)).body.title).toBe('new')
  })

  test('an answer that came too late is told what was decided, also when it is repeated', async () => {
    const open = await place(kind, 60_000)
    const two = await says(open, 'Ho.', asks)
    const one = await busy(open, 'person')
    const follower = await two.follow(one.id)
    const answer = () => two.call('POST', `/api/requests/${one.requestId}/answer`, { choice: 'two' })
    const waits = answer()
    one.letGo()
    await one.client.ask({ type: 'answer', requestId: one.requestId, choice: 'one' })
    await one.client.until(isOver)
    const late = { status: 409, body: { error: { code: 'request.answered' }, decision: { choice: 'one' } } }
    expect(await waits).toMatchObject(late)
    expect(await answer()).toMatchObject(late)
    await follower.until(isOver)
    contiguous(follower.events)
  })

  test.each(['interrupt', 'interject'])(
    'who would %s what the other ends meanwhile is told that it is over',
    async act => {
      const open = await place(kind, 60_000)
      const one = await busy(open, 'model')
      const two = await says(open, 'Ho.')
      const follower = await two.follow(one.id)
      const asked = two.call('POST', `/api/turns/${one.turnId}/${act}`, { text: 'wait' })
      one.letGo()
      await one.client.until(isOver)
      expect(await asked).toMatchObject({ status: 409, body: { error: { code: 'turn.ended' } } })
      expect(await follower.until(isOver)).toMatchObject({ type: 'turn.completed', text: 'From one.' })
      contiguous(follower.events)
    },
  )

  test('what could not be read is read before the next turn', async () => {
    const open = await place(kind, 1000)
    const model = scriptedModel(['From two.'])
    const [one, two] = [await says(open, 'Hi.'), await start(open, model)]
    const id = await one.newConversation()
    const say = async (server: Sharing, text: string) => {
      const client = await server.follow(id)
      const { turnId } = await client.ask({ type: 'send', conversationId: id, text })
      await client.until(frame => isOver(frame) && frame.turnId === turnId)
    }
    await say(one, 'first')
    await two.call('GET', `/api/conversations/${id}`)
    await say(one, 'second')
    const { driver } = two.store
    const reads = { nodes: driver.nodes, path: driver.path }
    driver.nodes = driver.path = () => {
      Object.assign(driver, reads)
      throw new TurnbuckleError('store.failed', 'Not now.', { kind: 'store' })
    }
    expect((await two.call('GET', `/api/conversations/${id}`)).status).toBe(503)
    await say(two, 'third')
    expect(model.prompts[0]?.messages.map(message => textOf(message))).toEqual([
      'first',
      'Hi.',
      'second',
      'Hi.',
      'third',
    ])
  })

  test('who stops a turn whose server is gone stops it when it goes on', async () => {
    const open = await place(kind, 60_000, 500)
    const one = await busy(open, 'model')
    const two = await start(open, scriptedModel([() => new Promise<string>(() => {})]))
    const follower = await two.follow(one.id)
    fallSilent(one.server)
    expect((await two.call('POST', `/api/turns/${one.turnId}/interrupt`, {})).status).toBe(202)
    expect(await follower.until(isOver)).toMatchObject({ type: 'turn.interrupted' })
    contiguous(follower.events)
  })
})

test('who reads while a server that has waited reads what the other wrote sees what was there', async () => {
  const open = await place('postgres', 60_000)
  const two = await says(open, 'From two.')
  const one = await busy(open, 'model')
  const path = `/api/conversations/${one.id}`
  await two.call('GET', path)
  const [waits, reads, mayRead] = [gate(), gate(), gate()]
  const { driver } = two.store
  const commit = driver.commit.bind(driver)
  driver.commit = given => {
    if (given.fence === undefined) waits.open()
    return commit(given)
  }
  const sent = two.call('POST', `${path}/turns`, { text: 'x', parentId: null })
  await waits.opened
  const nodes = driver.nodes.bind(driver)
  driver.nodes = async id => {
    reads.open()
    await mayRead.opened
    return nodes(id)
  }
  one.letGo()
  await one.client.until(isOver)
  await reads.opened
  expect((await two.call('GET', path)).status).toBe(200)
  mayRead.open()
  expect((await sent).status).toBe(202)
  expect((await two.call('GET', path)).body.turns).toHaveLength(2)
})
