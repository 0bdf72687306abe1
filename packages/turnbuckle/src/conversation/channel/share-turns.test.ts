import { createAgent, type Event, middleware } from 'turnbuckle'
import { createStore, type LiveNews, memoryStore, type StoreNews, shareTurns, watchStore } from 'turnbuckle/stores'
import { channelHub, scriptedModel } from 'turnbuckle/testing'
import { expect, onTestFinished, test } from 'vitest'

/** Two processes on one store: in the first a turn writes, word by word, when it is told to. */
function twoProcesses() {
  const hub = channelHub()
  const { driver } = memoryStore()
  const channels = [hub.join(), hub.join()] as const
  const [here, there] = channels.map(channel => createStore(driver, { channel }))
  if (!here || !there) throw new Error('There are two.')
  const words: ((word: string | undefined) => void)[] = []
  const next = () => new Promise<string | undefined>(resolve => words.push(resolve))
  const model = {
    id: 'slow',
    async *stream() {
      for (let word = await next(); word !== undefined; word = await next()) yield { type: 'text' as const, text: word }
    },
  }
  const say = async (word: string | undefined) => {
    await expect.poll(() => words.length).toBe(1)
    words.shift()?.(word)
  }
  const asks = middleware({ name: 'asks', beforeTurn: async ctx => void (await ctx.ask('clarification', {})) })
  const [carrier, other] = [shareTurns(here), shareTurns(there)]
  onTestFinished(() => {
    carrier.close()
    other.close()
  })
  return { here, there, model, say, asks, carrier, other, channels }
}

const textsIn = (heard: readonly LiveNews[]) =>
  heard.flatMap(({ events }) =>
    events.flatMap(event =>
      'text' in event && 'offset' in event ? [`${event.type} ${event.offset} ${event.text}`] : [],
    ),
  )

test('who follows from another process gets the text so far, then the deltas', async () => {
  const { here, model, say, carrier, other } = twoProcesses()
  const conversation = createAgent({ model, store: here }).conversation('c')
  const turn = conversation.send('go')
  carrier.carry(conversation, turn)
  await say('One ')
  await say('two ')
  const heard: LiveNews[] = []
  const started = new Promise<Event>(resolve =>
    conversation.subscribe(event => event.type === 'turn.completed' && resolve(event)),
  )
  const stop = other.follow('c', news => heard.push(news))
  await expect.poll(() => textsIn(heard)).toEqual(['message.text 0 One two '])
  await say('three.')
  await expect.poll(() => textsIn(heard)).toEqual(['message.text 0 One two ', 'message.delta 8 three.'])
  stop()
  await say('Four.')
  await say(undefined)
  await started
  expect(textsIn(heard)).toHaveLength(2)
  // The events before: turn.started, the message, message.started.
  expect(heard.map(({ after }) => after)).toEqual([3, 3])
})

test('who followed before the process at work heard anybody is told what grows once it does', async () => {
  const { here, model, say, carrier, other, channels } = twoProcesses()
  const conversation = createAgent({ model, store: here }).conversation('c')
  const heard: LiveNews[] = []
  channels[0].cut()
  onTestFinished(other.follow('c', news => heard.push(news)))
  carrier.carry(conversation, conversation.send('go'))
  await say('One ')
  channels[0].mend()
  await expect.poll(() => textsIn(heard)).toEqual(['message.text 0 One '])
  await say(undefined)
})

test('a process that has just begun, and does not hear the others yet, asks once it does', async () => {
  const { here, there, model, say, carrier, channels } = twoProcesses()
  const conversation = createAgent({ model, store: here }).conversation('c')
  const turn = conversation.send('go')
  carrier.carry(conversation, turn)
  await say('One ')
  channels[1].cut()
  const late = shareTurns(there)
  onTestFinished(() => late.close())
  const asked = late.ask('c', { type: 'interrupt', turnId: turn.id })
  channels[1].mend()
  expect(await asked).toEqual({ value: null })
  expect(await turn.settled).toMatchObject({ status: 'interrupted' })
})

test('a turn is interrupted, and spoken to, from another process; one that is over refuses', async () => {
  const { here, model, say, carrier, other } = twoProcesses()
  const conversation = createAgent({ model, store: here }).conversation('c')
  const turn = conversation.send('go')
  carrier.carry(conversation, turn)
  await say('One ')
  expect(await other.ask('c', { type: 'interject', turnId: turn.id, text: 'And then?' })).toEqual({ value: null })
  await expect(other.ask('c', { type: 'interrupt', turnId: 'another' })).rejects.toMatchObject({ code: 'turn.ended' })
  expect(await other.ask('c', { type: 'interrupt', turnId: turn.id, reason: 'enough' })).toEqual({ value: null })
  expect(await turn.settled).toMatchObject({ status: 'interrupted', reason: 'enough', text: 'One ' })
})

test('a question is answered, and the log is written to, from another process', async () => {
  const { here, asks, carrier, other } = twoProcesses()
  const agent = createAgent({ model: scriptedModel(['Done.']), store: here, use: [asks] })
  const conversation = agent.conversation('c')
  const turn = conversation.send('go')
  carrier.carry(conversation, turn)
  await expect.poll(() => turn.requests.length).toBe(1)
  await other.ask('c', { type: 'rename', title: 'Named' })
  await other.ask('c', { type: 'emit', event: { type: 'search.done', hits: 2 } })
  const requestId = turn.requests[0]?.id ?? ''
  const answer = { type: 'answer', requestId, answer: { choice: 1 }, options: { by: 'ann' } } as const
  expect(await other.ask('c', answer)).toEqual({ value: null })
  expect(await turn).toMatchObject({ status: 'completed' })
  expect(conversation.title).toBe('Named')
  const types = (await here.events('c')).map(({ type }) => type)
  expect(types).toEqual(expect.arrayContaining(['title.changed', 'search.done', 'request.answered']))
})

test('nobody answers for a conversation without turns here; a command of one’s own is obeyed first', async () => {
  const { here, there, model, say, other } = twoProcesses()
  const obeyed: unknown[] = []
  const carrier = shareTurns(here, {
    onCommand: (conversation, command) => {
      obeyed.push([conversation, command.type])
      return command.type === 'own.double' ? Promise.resolve({ value: Number(command['n']) * 2 }) : undefined
    },
  })
  onTestFinished(() => carrier.close())
  expect(await shareTurns(memoryStore()).ask('c', { type: 'rename', title: 'x' })).toBeUndefined()
  const agent = createAgent({ model, store: here })
  const turn = agent.conversation('c').send('go')
  carrier.carry(agent.conversation('c'), turn)
  await say('One ')
  expect(await other.ask('c', { type: 'own.double', n: 21 })).toEqual({ value: 42 })
  expect(obeyed).toEqual([['c', 'own.double']])
  expect(there.channel?.isOpen).toBe(true)
  await say(undefined)
  await turn
})

test('a follower that has lost its connection is told all that grows once more', async () => {
  const { here, model, say, carrier, other, channels } = twoProcesses()
  const conversation = createAgent({ model, store: here }).conversation('c')
  const turn = conversation.send('go')
  carrier.carry(conversation, turn)
  const heard: LiveNews[] = []
  other.follow('c', news => heard.push(news))
  await say('One ')
  await expect.poll(() => textsIn(heard).at(-1)).toBe('message.delta 0 One ')
  channels[1].cut()
  await say('two ')
  await say('three.')
  channels[1].mend()
  await expect.poll(() => textsIn(heard).at(-1)).toBe('message.text 0 One two three.')
  await say(undefined)
  await turn
})

test('other processes hear what is written to the store: logs, deletions and small values', async () => {
  const { here, there } = twoProcesses()
  const heard: StoreNews[] = []
  await new Promise<void>(missed => watchStore(there, { hear: news => heard.push(news), missed }))
  const conversation = createAgent({ model: scriptedModel(['Hi.']), store: here }).conversation('c')
  await conversation.send('go')
  await conversation.kept()
  const last = () => heard.findLast(news => news.type === 'written' && news.seq !== undefined)
  await expect.poll(last).toMatchObject({ conversation: 'c', seq: 5, isListed: true })
  await here.set('space', 'key', 1)
  await expect.poll(() => heard.at(-1)).toEqual({ type: 'set', space: 'space', key: 'key' })
  await conversation.delete()
  await expect.poll(() => heard.at(-1)).toEqual({ type: 'deleted', conversation: 'c' })
})
