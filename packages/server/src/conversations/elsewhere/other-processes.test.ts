import { again, middleware } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { gate } from '../../../test/serve.ts'
import {
  asks,
  busy,
  contiguous,
  fallSilent,
  kinds,
  says,
  sharedStores,
  start,
  startOn,
  takeNoAnswers,
} from '../../../test/shared-store.ts'
import { isOver } from '../../../test/socket-client.ts'

const place = sharedStores()

const guard = () => middleware({ name: 'guard', guard: true, beforeModel: () => {} })
const isKeptEnd = (frame: { readonly type: string; readonly seq?: number }) => isOver(frame) && frame.seq !== undefined

describe.each(kinds)('a turn that a server has left, on %s,', kind => {
  test('that cannot go on here is tried once; who follows it hears its end when another server has gone on', async () => {
    const open = await place(kind, 500, 500)
    const two = await says(open, 'Ho.')
    const one = await busy(open, 'model', guard())
    const follower = await two.follow(one.id)
    fallSilent(one.server)
    await follower.until(isOver)
    for (let i = 0; i < 3; i++) await two.call('GET', `/api/conversations/${one.id}`)
    expect(follower.frames.filter(isOver)).toMatchObject([{ error: expect.stringContaining('guard') }])
    await start(open, scriptedModel(['From three.']), guard())
    expect(await follower.until(isKeptEnd)).toMatchObject({ text: 'From three.' })
    contiguous(follower.events)
  })

  test('goes on here by itself once its lease is over, although nobody follows and nobody asks', async () => {
    const open = await place(kind, 500, 500)
    const two = await startOn(open, { model: scriptedModel(['From two.']), takeOverMs: 50 })
    const one = await busy(open, 'model')
    const status = async () => (await two.store.turns({ id: one.turnId }))[0]?.status
    fallSilent(one.server)
    await expect.poll(status, { timeout: 10_000 }).toBe('completed')
    const events = await two.store.events(one.id)
    expect(events.at(-1)).toMatchObject({ type: 'turn.completed', text: 'From two.' })
  })

  test('goes on once it is answered, also where the store fails right then and nobody watches', async () => {
    const open = await place(kind, 60_000, 500)
    // The turn goes on because it was answered, not because this server looks for turns that others have left.
    const two = await startOn(open, { model: scriptedModel(['From two.']), use: [asks], takeOverMs: 60_000 })
    const one = await busy(open, 'person')
    takeNoAnswers(one.server)
    await two.call('GET', `/api/conversations/${one.id}`)
    const { driver, conversation } = two.store
    const commit = driver.commit.bind(driver)
    let failures = 0
    driver.commit = given => {
      if (given.records.some(({ type }) => type === 'request.answered'))
        two.store.conversation = id => {
          if (failures++ === 0) throw new Error('not now')
          return conversation(id)
        }
      return commit(given)
    }
    const answered = two.call('POST', `/api/requests/${one.requestId}/answer`, { choice: 1 })
    fallSilent(one.server)
    expect((await answered).status).toBe(200)
    const status = async () => (await two.store.turns({ id: one.turnId }))[0]?.status
    await expect.poll(status, { timeout: 10_000 }).toBe('completed')
    expect(failures).toBeGreaterThan(1)
  })

  test('goes on where somebody follows it once a turn that runs there is over', async () => {
    const open = await place(kind, 60_000, 500)
    const held = gate()
    const model = scriptedModel([() => held.opened.then(() => 'B.'), 'From two.'])
    const two = await start(open, model)
    const one = await busy(open, 'model')
    const follower = await two.follow(one.id)
    const sent = two.call('POST', `/api/conversations/${one.id}/turns`, { text: 'B', parentId: null })
    fallSilent(one.server)
    const { turnId } = (await sent).body
    // Longer than it takes to look again.
    await new Promise(resolve => setTimeout(resolve, 1500))
    held.open()
    await follower.until(frame => isOver(frame) && frame.turnId === turnId)
    const end = await follower.until(frame => isOver(frame) && frame.turnId === one.turnId)
    expect(end).toMatchObject({ type: 'turn.completed', text: 'From two.' })
    contiguous(follower.events)
  })

  test('goes on once it is answered, also where other conversations are opened meanwhile and none is kept', async () => {
    const open = await place(kind, 60_000, 500)
    const two = await startOn(open, { model: scriptedModel(['From two.']), use: [asks], keptIdle: 0 })
    const one = await busy(open, 'person')
    takeNoAnswers(one.server)
    const other = await one.server.newConversation()
    await two.call('GET', `/api/conversations/${one.id}`)
    const answered = two.call('POST', `/api/requests/${one.requestId}/answer`, { choice: 1 })
    for (let i = 0; i < 5; i++) await two.call('GET', `/api/conversations/${other}`)
    fallSilent(one.server)
    expect((await answered).status).toBe(200)
    const status = async () => (await two.store.turns({ id: one.turnId }))[0]?.status
    await expect.poll(status, { timeout: 10_000 }).toBe('completed')
  })

  test('is explained the same by both', async () => {
    const open = await place(kind, 60_000, 500)
    const more = () =>
      middleware({
        name: 'more',
        afterDecide: ctx => (ctx.turn.steps === 1 ? again('more') : undefined),
      })
    const two = await start(open, scriptedModel(['From two.', 'Again.']), more())
    const one = await busy(open, 'model', more())
    const follower = await two.follow(one.id)
    const { driver } = one.server.store
    const renew = driver.renew.bind(driver)
    fallSilent(one.server)
    await follower.until(isOver)
    driver.renew = renew
    await one.client.until(isOver)
    const explained = await Promise.all(
      [one.server, two].map(
        async server => (await server.call('GET', `/api/turns/${one.turnId}/explain`)).body.decisions,
      ),
    )
    expect(explained[0]).toEqual(explained[1])
    expect(explained[0]).toMatchObject([{ by: 'more', directive: 'again' }])
  })

  test('with a question, and answered elsewhere, keeps no conversation open and waits in no list', async () => {
    const open = await place(kind, 500)
    const two = await startOn(open, { model: scriptedModel(['Ho.']), use: [asks], keptIdle: 0 })
    const one = await busy(open, 'person')
    const path = `/api/conversations/${one.id}`
    expect((await two.call('GET', path)).body.requests).toHaveLength(1)
    const { events } = two.store
    let read = 0
    two.store.events = (id, after, limit) => {
      if (!after) read++
      return events(id, after, limit)
    }
    one.letGo()
    await one.client.ask({ type: 'answer', requestId: one.requestId, choice: 1 })
    await one.client.until(isOver)
    const { conversations } = (await two.call('GET', '/api/conversations')).body
    expect(conversations).toMatchObject([{ id: one.id, waiting: 0 }])
    await two.call('GET', path)
    expect(read).toBe(1)
  })
})

test('what another server writes is read for a follower without the messages, and with them for the list', async () => {
  const open = await place('postgres', 500, 60_000, true)
  const [one, two] = [await says(open, 'Hi.'), await says(open, 'Ho.')]
  const id = await one.newConversation()
  const follower = await two.follow(id)
  const { driver } = two.store
  const nodes = driver.nodes.bind(driver)
  let readings = 0
  driver.nodes = given => {
    readings++
    return nodes(given)
  }
  await one.call('POST', `/api/conversations/${id}/turns`, { text: 'A' })
  await follower.until(isKeptEnd)
  await one.call('PATCH', `/api/conversations/${id}`, { title: 'Named' })
  await follower.until(frame => frame.type === 'title.changed')
  contiguous(follower.events)
  expect(readings).toBe(0)
  const head = follower.events.findLast(({ type }) => type === 'message.added')?.messageId
  const [listed] = (await two.call('GET', '/api/conversations')).body.conversations
  expect(listed).toMatchObject({ id, title: 'Named', head })
})

test('a conversation that cannot be read is no reason to list and find none', async () => {
  const open = await place('postgres', 500, 60_000, true)
  const [one, two] = [await says(open, 'Hi.'), await says(open, 'Ho.')]
  const [id, other] = [await one.newConversation(), await one.newConversation()]
  const follower = await two.follow(id)
  two.store.driver.nodes = () => Promise.reject(new Error('The disk is broken.'))
  await one.call('POST', `/api/conversations/${id}/turns`, { text: 'needle' })
  await follower.until(isKeptEnd)
  const { status, body } = await two.call('GET', '/api/conversations')
  expect([status, body.conversations?.map((listed: { id: string }) => listed.id).sort()]).toEqual([
    200,
    [id, other].sort(),
  ])
  const found = await two.call('GET', '/api/search?q=needle')
  expect(found).toMatchObject({ status: 200, body: { results: [{ conversationId: id }] } })
})
