import { ClientError, type WireConversation, type WireEvent } from 'turnbuckle/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { givePage, wireConversation } from '../../test/conversation.ts'
import { useAppState } from '../state/app-state.ts'
import { openConversation } from './open-conversation.ts'

let frame: () => void = () => {}

beforeEach(() => {
  vi.stubGlobal('location', { pathname: '/' })
  vi.stubGlobal('history', { pushState: vi.fn() })
  vi.stubGlobal('document', { hidden: false })
  vi.stubGlobal('cancelAnimationFrame', () => {})
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => {
    frame = run
    return 1
  })
})
afterEach(async () => {
  // Ends the following of the last conversation while the stubs are still there.
  await openConversation(undefined)
  vi.unstubAllGlobals()
})

const get = useAppState.getState

function followed() {
  const given: { tell: (event: WireEvent) => void; stopped: string[]; reads: number } = {
    tell: () => {},
    stopped: [],
    reads: 0,
  }
  givePage(
    {},
    {
      async conversation(id) {
        given.reads++
        return wireConversation({ id, title: `title of ${id}` })
      },
      follow(id, { onEvent }) {
        given.tell = onEvent
        return () => void given.stopped.push(id)
      },
    },
  )
  return given
}

test('events are applied with the next frame', async () => {
  const { tell } = await openFollowed('a')
  tell({ type: 'conversation.renamed', conversationId: 'a', at: 0, seq: 1, title: 'new' } as unknown as WireEvent)
  expect(get().conversation?.seq).toBe(0)
  frame()
  expect(get().conversation?.seq).toBe(1)
})

test('a state that events cannot bring up to date is read anew, and stays in view meanwhile', async () => {
  const given = await openFollowed('a')
  given.tell({ type: 'resync', conversationId: 'a', at: 0 } as unknown as WireEvent)
  frame()
  expect(get().conversation?.title).toBe('title of a')
  await vi.waitFor(() => expect(given.reads).toBe(2))
})

test('another conversation ends the following of the one before', async () => {
  const given = await openFollowed('a')
  await openConversation('b')
  expect(given.stopped).toEqual(['a'])
  expect(get()).toMatchObject({ openId: 'b', conversation: { id: 'b' } })
})

test('a conversation that arrives after another was opened is dropped', async () => {
  let arrive: (told: WireConversation) => void = () => {}
  givePage({}, { conversation: () => new Promise(resolve => (arrive = resolve)) })
  const slow = openConversation('slow')
  await openConversation(undefined)
  arrive(wireConversation({ id: 'slow' }))
  await slow
  expect(get()).toMatchObject({ openId: undefined, conversation: undefined })
})

test('a conversation that cannot be read says why', async () => {
  givePage({}, { conversation: () => Promise.reject(new ClientError('conversation.unknown', 'No such one.', 404)) })
  await openConversation('gone')
  expect(get()).toMatchObject({ openId: 'gone', problem: 'No such one.' })
})

async function openFollowed(id: string) {
  const given = followed()
  await openConversation(id)
  return given
}
