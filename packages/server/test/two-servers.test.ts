import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { gate } from './serve.ts'
import { asks, busy, contiguous, fallSilent, kinds, sharedStores, start, takeNoAnswers } from './shared-store.ts'
import { isOver } from './socket-client.ts'

const place = sharedStores()

describe.each(kinds)('two servers on one %s that look and do not hear of each other', kind => {
  test('a turn that the other works on is left to it: the log has it once, and nobody is told another end', async () => {
    const open = await place(kind, 60_000)
    const one = await busy(open, 'model')
    const model = scriptedModel(['From two.'])
    const two = await start(open, model)
    const follower = await two.follow(one.id)
    const { status, body } = await two.call('POST', `/api/conversations/${one.id}/turns`, { text: 'x' })
    expect(`${status} ${body.error.code}`).toBe('409 turn.running')
    one.letGo()
    await one.client.until(isOver)
    await follower.until(isOver)
    expect(model.prompts).toEqual([])
    expect(follower.frames.filter(isOver)).toMatchObject([{ type: 'turn.completed', text: 'From one.', seq: 5 }])
    const { turnId } = (await two.call('POST', `/api/conversations/${one.id}/turns`, { text: 'next' })).body
    await follower.until(frame => isOver(frame) && frame.turnId === turnId)
    contiguous(follower.events)
    contiguous((await two.store.events(one.id)) as never)
  })

  test('what the other asks is answered here, and its turn goes on there', async () => {
    const open = await place(kind, 100)
    const two = await start(open, scriptedModel([]))
    const one = await busy(open, 'person')
    const answer = `/api/requests/${one.requestId}/answer`
    expect(await two.call('POST', answer, { by: 'ada' })).toMatchObject({ status: 422 })
    expect(await two.call('POST', answer, { choice: 1 })).toMatchObject({ status: 200 })
    one.letGo()
    expect(await one.client.until(isOver)).toMatchObject({ text: 'From one.' })
    const answered = one.client.events.find(({ type }) => type === 'request.answered')
    expect(answered).toMatchObject({ decision: { choice: 1 }, by: 'me' })
    expect((await two.call('POST', answer, { choice: 2 })).body.error.code).toBe('request.answered')
  })

  test('what the other works on is waited for, then refused with a typed error; afterwards it is free', async () => {
    const open = await place(kind, 100)
    const two = await start(open, scriptedModel(['From two.']))
    const one = await busy(open, 'person')
    takeNoAnswers(one.server)
    const turns = `/api/conversations/${one.id}/turns`
    const view = (await two.call('GET', `/api/conversations/${one.id}`)).body
    expect(view).toMatchObject({ turns: [{ status: 'running' }], requests: [{ id: one.requestId }] })
    for (const [path, sent] of [
      [turns, { text: 'x' }],
      [`/api/requests/${one.requestId}/answer`, { choice: 1 }],
      [`/api/turns/${one.turnId}/interrupt`, {}],
      [`/api/turns/${one.turnId}/interject`, { text: 'x' }],
    ] as const) {
      const { status, body } = await two.call('POST', path, sent)
      expect(`${path} ${status} ${body.error.code}`).toBe(`${path} 409 conversation.locked`)
    }
    const named = await two.call('PATCH', `/api/conversations/${one.id}`, { title: 'Mine' })
    expect(named).toMatchObject({ status: 409, body: { error: { code: 'conversation.locked' } } })
    expect(named.body.error.message).not.toContain(`${process.pid}`)
    expect((await two.call('GET', `/api/conversations/${one.id}`)).body.title).toBe(view.title)
    const follower = await two.follow(one.id)
    one.letGo()
    await one.client.ask({ type: 'answer', requestId: one.requestId, choice: 2 })
    await one.client.until(isOver)
    const next = await two.call('POST', turns, { text: 'next' })
    expect(next).toMatchObject({ status: 202, body: { seq: one.client.events.length + 1 } })
    await follower.until(frame => isOver(frame) && frame.turnId === next.body.turnId)
    contiguous(follower.events)
    expect(follower.events.filter(isOver).map(({ text }) => text)).toEqual(['From one.', 'From two.'])
    expect((await two.call('POST', `/api/requests/${one.requestId}/answer`, { choice: 1 })).body).toMatchObject({
      error: { code: 'request.answered' },
      decision: { choice: 2 },
    })
  })

  test('who answers what a server asked that is gone is told so, and the turn goes on where it was answered', async () => {
    const open = await place(kind, 60_000, 500)
    const two = await start(open, scriptedModel(['From two.']), asks)
    const one = await busy(open, 'person')
    const follower = await two.follow(one.id)
    fallSilent(one.server)
    const answered = await two.call('POST', `/api/requests/${one.requestId}/answer`, { choice: 1 })
    expect(answered).toMatchObject({ status: 200, body: { decision: { choice: 1 } } })
    expect(await follower.until(isOver)).toMatchObject({ type: 'turn.completed', text: 'From two.' })
    contiguous(follower.events)
  })

  test('a turn whose server is gone goes on by itself where somebody watches', async () => {
    const open = await place(kind, 60_000, 500)
    const two = await start(open, scriptedModel(['From two.']))
    const one = await busy(open, 'model')
    const follower = await two.follow(one.id)
    fallSilent(one.server)
    expect(await follower.until(isOver)).toMatchObject({ type: 'turn.completed', text: 'From two.' })
    contiguous(follower.events)
    contiguous((await two.store.events(one.id)) as never)
  })

  test('a store that fails now and then while others’ turns are looked at is asked again', async () => {
    const open = await place(kind, 60_000, 500)
    const two = await start(open, scriptedModel(['From two.']))
    const one = await busy(open, 'model')
    const follower = await two.follow(one.id)
    fallSilent(one.server)
    const fails = { conversation: two.store.conversation, events: two.store.events }
    for (const name of ['conversation', 'events'] as const)
      two.store[name] = () => {
        Object.assign(two.store, { [name]: fails[name] })
        throw new Error('not now')
      }
    expect(await follower.until(isOver)).toMatchObject({ type: 'turn.completed', text: 'From two.' })
    expect(two.store).toMatchObject(fails)
    contiguous(follower.events)
  })

  test('of two servers that both answer, the one that was slow is told what was decided', async () => {
    const open = await place(kind, 60_000, 500)
    const two = await start(open, scriptedModel(['From two.']), asks)
    const one = await busy(open, 'person')
    const answer = `/api/requests/${one.requestId}/answer`
    const follower = await two.follow(one.id)
    fallSilent(one.server)
    await expect.poll(async () => (await two.store.conversation(one.id))?.held).toBe(false)
    await two.call('GET', `/api/conversations/${one.id}`)
    expect((await two.call('POST', answer, { choice: 'two' })).status).toBe(200)
    await follower.until(isOver)
    const late = await one.server.call('POST', answer, { choice: 'one' })
    expect(late).toMatchObject({ status: 409, body: { error: { code: 'request.answered' } } })
    expect(late.body.decision).toEqual({ choice: 'two' })
    expect(await one.client.until(isOver)).toMatchObject({ text: 'From two.' })
    contiguous(one.client.events)
    contiguous(follower.events)
  })

  test('who stops a turn at a server that has lost it is told so', async () => {
    const open = await place(kind, 60_000, 500)
    const one = await busy(open, 'model')
    const [asked, held] = [gate(), gate()]
    const model = scriptedModel([
      () => {
        asked.open()
        return held.opened.then(() => 'From two.')
      },
    ])
    await start(open, model)
    const { driver } = one.server.store
    const renew = driver.renew.bind(driver)
    fallSilent(one.server)
    await asked.opened
    driver.renew = renew
    await expect
      .poll(async () => (await one.server.call('POST', `/api/turns/${one.turnId}/interrupt`, {})).body.error?.code)
      .toBe('conversation.locked')
    held.open()
    expect(await one.client.until(isOver)).toMatchObject({ type: 'turn.completed', text: 'From two.' })
    contiguous(one.client.events)
  })

  test('who comes back to a conversation sees what the other has done to it since, up to its end', async () => {
    const open = await place(kind, 60_000)
    const [one, two] = [
      await start(open, scriptedModel(['Hi.'], { repeat: true })),
      await start(open, scriptedModel([])),
    ]
    const id = await one.newConversation()
    const first = await one.follow(id)
    const follower = await two.follow(id)
    for (const text of ['one', 'two']) {
      const { turnId } = await first.ask({ type: 'send', conversationId: id, text })
      await first.until(frame => isOver(frame) && frame.turnId === turnId)
      expect((await two.call('GET', `/api/conversations/${id}`)).body.turns.at(-1)).toMatchObject({ id: turnId })
      await follower.until(frame => isOver(frame) && frame.turnId === turnId)
    }
    contiguous(follower.events)
    await one.call('DELETE', `/api/conversations/${id}`)
    expect((await two.call('GET', `/api/conversations/${id}`)).status).toBe(404)
    await follower.until(({ type }) => type === 'conversation.deleted')
  })

  test('an answer that is being written while the conversation is opened anew is told that it was kept', async () => {
    const open = await place(kind, 60_000, 500)
    const two = await start(open, scriptedModel(['From two.']), asks)
    const one = await busy(open, 'person')
    takeNoAnswers(one.server)
    const path = `/api/conversations/${one.id}`
    const follower = await two.follow(one.id)
    const [waits, looked, mayTake, writes, mayWrite] = [gate(), gate(), gate(), gate(), gate()]
    const { driver, conversation } = two.store
    const commit = driver.commit.bind(driver)
    driver.commit = async given => {
      if (given.fence === undefined) {
        waits.open()
        await mayTake.opened
      }
      if (given.records.some(({ type }) => type === 'request.answered')) {
        writes.open()
        await mayWrite.opened
      }
      return commit(given)
    }
    const answered = two.call('POST', `/api/requests/${one.requestId}/answer`, { choice: 1 })
    await waits.opened
    fallSilent(one.server)
    await expect.poll(async () => (await two.store.conversation(one.id))?.held).toBe(false)
    two.store.conversation = async id => {
      const row = await conversation(id)
      looked.open()
      return row
    }
    const anew = two.call('GET', path)
    await looked.opened
    mayTake.open()
    await writes.opened
    expect((await anew).body.turns).toMatchObject([{ status: 'running' }])
    mayWrite.open()
    expect(await answered).toMatchObject({ status: 200, body: { decision: { choice: 1 } } })
    expect(await follower.until(isOver)).toMatchObject({ type: 'turn.completed', text: 'From two.' })
    contiguous(follower.events)
  })
})
