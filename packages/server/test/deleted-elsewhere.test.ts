import { TurnbuckleError } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { gate } from './serve.ts'
import { asks, busy, kinds, type Sharing, says, sharedStores, start } from './shared-store.ts'
import { isOver, type SocketClient } from './socket-client.ts'

const place = sharedStores()

const make = (server: Sharing) => server.call('POST', '/api/conversations', {}, { 'idempotency-key': 'k' })
const view = async (server: Sharing, id: string) => (await server.call('GET', `/api/conversations/${id}`)).body
const isDeleted = ({ type }: { readonly type: string }) => type === 'conversation.deleted'

/** Has a turn worked to its end. */
async function say(server: Sharing, id: string, text: string): Promise<string> {
  const client = await server.follow(id)
  const { turnId } = await client.ask({ type: 'send', conversationId: id, text })
  await client.until(frame => isOver(frame) && frame.turnId === turnId)
  return turnId
}
const turnsHeard = (follower: SocketClient) => follower.events.filter(isOver).map(({ turnId }) => turnId)

describe.each(kinds)('a conversation that another server deletes, on %s', kind => {
  test('is gone, also where nothing was said in it', async () => {
    const open = await place(kind, 1000)
    const [one, two] = [await says(open, 'Hi.'), await says(open, 'Ho.')]
    const id = await one.newConversation()
    const path = `/api/conversations/${id}`
    expect((await two.call('GET', path)).status).toBe(200)
    await one.call('DELETE', path)
    expect((await two.call('GET', path)).status).toBe(404)
    expect((await two.call('POST', `${path}/turns`, { text: 'x' })).status).toBe(404)
    expect((await one.call('GET', '/api/conversations')).body.conversations).toEqual([])
  })

  test('is made again with the same key, empty', async () => {
    const open = await place(kind, 1000)
    const [one, two] = [await says(open, 'Hi.'), await says(open, 'Ho.')]
    const { id } = (await make(one)).body
    await say(one, id, 'old')
    expect(await view(two, id)).toMatchObject({ title: 'old' })
    await one.call('DELETE', `/api/conversations/${id}`)
    expect(await make(two)).toMatchObject({ status: 201, body: { id, head: null } })
    expect(await view(two, id)).toMatchObject({ nodes: [], turns: [] })
  })

  test('is not mistaken for the one that is made after it under the same id', async () => {
    const open = await place(kind, 1000)
    const [one, two] = [await says(open, 'Hi.'), await says(open, 'Ho.')]
    const { id } = (await make(one)).body
    const old = await say(one, id, 'SECRET')
    const follower = await two.follow(id)
    await follower.until(isOver)
    await one.call('DELETE', `/api/conversations/${id}`)
    await make(one)
    const turns = [await say(one, id, 'new'), await say(one, id, 'newer')]
    const { title, turns: seen } = await view(two, id)
    expect({ title, seen: seen.map((turn: { id: string }) => turn.id) }).toEqual({ title: 'new', seen: turns })
    await follower.until(isDeleted)
    expect(turnsHeard(follower)).toEqual([old])
  })

  test('is not mistaken for the next one where it was made, nor in the list', async () => {
    const open = await place(kind, 1000)
    const [one, two] = [await says(open, 'Hi.'), await says(open, 'Ho.')]
    const { id } = (await make(one)).body
    await say(one, id, 'SECRET')
    await two.call('DELETE', `/api/conversations/${id}`)
    await make(two)
    const turn = await say(two, id, 'new')
    expect((await one.call('GET', '/api/conversations')).body.conversations).toMatchObject([{ id, title: 'new' }])
    expect(await view(one, id)).toMatchObject({ title: 'new', turns: [{ id: turn }] })
  })

  test('and makes again can be written to by who waited to write to the old one', async () => {
    const open = await place(kind, 1500)
    const [one, two] = [await says(open, 'Hi.'), await says(open, 'Ho.')]
    const { id } = (await make(one)).body
    await say(one, id, 'old')
    await view(two, id)
    const { driver } = two.store
    const commit = driver.commit.bind(driver)
    let isHeld = true
    const waits = gate()
    driver.commit = given => {
      if (given.fence !== undefined || !isHeld) return commit(given)
      waits.open()
      throw new TurnbuckleError('conversation.locked', 'The other works on it.', { kind: 'store' })
    }
    const waiting = two.call('POST', `/api/conversations/${id}/turns`, { text: 'x', parentId: null })
    await waits.opened
    await one.call('DELETE', `/api/conversations/${id}`)
    await make(one)
    await say(one, id, 'new')
    expect(await view(two, id)).toMatchObject({ title: 'new' })
    isHeld = false
    expect(await waiting).toMatchObject({ status: 404, body: { error: { code: 'conversation.deleted' } } })
    await say(two, id, 'newer')
    expect((await view(one, id)).turns).toHaveLength(2)
  })

  test('is told to who follows a turn in it that waits to be resumed, and to who would stop that', async () => {
    const open = await place(kind, 60_000)
    const one = await busy(open, 'model')
    const two = await says(open, 'Ho.')
    const follower = await two.follow(one.id)
    const stopped = two.call('POST', `/api/turns/${one.turnId}/interrupt`, {})
    await one.server.call('DELETE', `/api/conversations/${one.id}`)
    await follower.until(isDeleted)
    expect(await stopped).toMatchObject({ status: 404, body: { error: { code: 'turn.missing' } } })
    expect(follower.frames.filter(isOver)).toEqual([])
  })

  test('begins anew as an AG-UI thread', async () => {
    const open = await place(kind, 1000)
    const [one, two] = [await says(open, 'Hi.'), await says(open, 'Ho.')]
    const run = async () => {
      const messages = [{ role: 'user', content: 'go' }]
      const body = JSON.stringify({ threadId: 't1', runId: crypto.randomUUID(), messages })
      const response = await fetch(`${two.url}/ag-ui`, {
        method: 'POST',
        headers: { authorization: 'Bearer secret' },
        body,
      })
      return `${response.status} ${await response.text()}`
    }
    await run()
    expect((await one.call('DELETE', '/api/conversations/t1')).status).toBe(204)
    expect(await run()).toMatch(/^200 [\s\S]*RUN_FINISHED/)
    expect((await view(two, 't1')).turns).toHaveLength(1)
  })

  test('refuses who waits to write to it, and tells who follows it', async () => {
    const open = await place(kind, 60_000, 600)
    const two = await start(open, scriptedModel(['From two.'], { repeat: true }), asks)
    const one = await busy(open, 'person')
    const path = `/api/conversations/${one.id}`
    const follower = await two.follow(one.id)
    const waiting = [
      two.call('POST', `/api/requests/${one.requestId}/answer`, { choice: 1 }),
      two.call('POST', `${path}/turns`, { text: 'x', parentId: null }),
    ]
    await one.server.call('DELETE', path)
    for (const { status, body } of await Promise.all(waiting))
      expect(`${status} ${body.error.code}`).toMatch(/^404 conversation\.(deleted|missing)$|^404 request.unknown$/)
    expect((await two.call('GET', path)).status).toBe(404)
    await follower.until(isDeleted)
    expect(await two.store.conversation(one.id)).toBeUndefined()
  })

  test('leaves no timeline of a turn that was cut off by it', async () => {
    const open = await place(kind, 500, 600)
    const two = await says(open, 'Ho.')
    const one = await busy(open, 'model')
    expect((await two.call('DELETE', `/api/conversations/${one.id}`)).status).toBe(204)
    await one.client.until(isDeleted)
    one.letGo()
    await one.server.agent.close()
    // What the model still says comes to its end now.
    await new Promise(resolve => setTimeout(resolve, 100))
    expect(await two.store.get('server.traces', one.turnId)).toBeUndefined()
    expect(await two.store.conversation(one.id)).toBeUndefined()
  })

  // The first message becomes the title, in the conversation's entry of the list, once its turn has begun.
  test.each([
    'before it looks at the entry of the list',
    'before it writes to the entry of the list',
    'while it writes to the entry of the list',
  ] as const)('stays gone where a server that has begun a turn in it meanwhile goes on %s', async when => {
    const open = await place(kind, 1000)
    const [one, two] = [await says(open, 'Hi.'), await says(open, 'Ho.')]
    const id = await one.newConversation()
    const path = `/api/conversations/${id}`
    const follower = await two.follow(id)
    const titled = holdTitle(two, id, when.endsWith('looks at the entry of the list') ? 'get' : 'set')
    const erased = holdErasing(one)
    const starting = two.call('POST', `${path}/turns`, { text: 'SECRET' })
    await titled.waits
    await follower.until(isOver)
    const deleting = one.call('DELETE', path)
    await erased.waits
    if (when.startsWith('while')) await titled.goOn()
    erased.goOn()
    expect((await deleting).status).toBe(204)
    await titled.goOn()
    expect((await starting).status).toBe(202)
    for (const server of [one, two]) {
      expect((await server.call('GET', path)).status).toBe(404)
      expect((await server.call('GET', '/api/conversations')).body.conversations).toEqual([])
    }
    for (const space of ['server.conversations', 'server.unbegun']) expect(await one.store.entries(space)).toEqual([])
  })
})

/** Keeps a server from taking the first message as the title: before it looks at the entry of the list, or writes to it. */
function holdTitle({ store }: Sharing, id: string, before: 'get' | 'set') {
  const [waits, goesOn, done] = [gate(), gate(), gate()]
  const isHeld = async (space: string) =>
    space === 'server.conversations' && (await store.turns({ conversation: id })).length > 0
  const { get, set } = store
  const hold = async <Result>(space: string, work: () => Result): Promise<Awaited<Result>> => {
    if (!(await isHeld(space))) return await work()
    waits.open()
    await goesOn.opened
    const result = await work()
    done.open()
    return result
  }
  if (before === 'get') store.get = (space, key) => hold(space, () => get(space, key))
  else store.set = (space, ...rest) => hold(space, () => set(space, ...rest))
  const goOn = () => {
    goesOn.open()
    return done.opened
  }
  return { waits: waits.opened, goOn }
}

/** Keeps a server from erasing a log whose deletion it has begun. */
function holdErasing({ store: { driver } }: Sharing) {
  const [waits, goesOn] = [gate(), gate()]
  const erase = driver.delete.bind(driver)
  driver.delete = async id => {
    waits.open()
    await goesOn.opened
    await erase(id)
  }
  return { waits: waits.opened, goOn: () => goesOn.open() }
}
