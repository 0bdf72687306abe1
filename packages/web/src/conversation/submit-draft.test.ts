import { type Client, ClientError } from 'turnbuckle/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { conversation, givePage, node, runningTurnOf } from '../../test/conversation.ts'
import { useAppState } from '../state/app-state.ts'
import { switchDraft } from '../state/drafts.ts'
import { editDraft, submitDraft } from './submit-draft.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const file = { key: 'k', name: 'a.txt', mediaType: 'text/plain', id: 'f' }
const idle = conversation({ nodes: [node('a', null)], head: 'a' })
const busy = conversation({ nodes: [node('a', null)], head: 'a', turns: [runningTurnOf('t', null)] })

function givenDraft(open: typeof idle, files: readonly (typeof file)[] = []) {
  const calls: string[] = []
  const client: Partial<Client> = {
    async send(_, turn) {
      calls.push(`send ${'text' in turn ? turn.text : ''}`)
      useAppState.setState({ conversation: busy })
      return { turnId: 't', seq: 1 }
    },
    interject: async (_, text) => void calls.push(`interject ${text}`),
  }
  givePage({ openId: 'c', conversation: open, draft: { text: 'hello', files, pastes: [] } }, client)
  return calls
}
const queuedTexts = () => useAppState.getState().queuedMessages.map(({ text }) => text)

test.each([
  { name: 'begins a turn', open: idle, later: false, calls: ['send hello'], queued: [] },
  {
    name: 'begins a turn though asked for later: none runs',
    open: idle,
    later: true,
    calls: ['send hello'],
    queued: [],
  },
  { name: 'is interjected while a turn runs', open: busy, later: false, calls: ['interject hello'], queued: [] },
  { name: 'is queued for after the running turn', open: busy, later: true, calls: [], queued: ['hello'] },
])('a draft $name', async ({ open, later, calls, queued }) => {
  const made = givenDraft(open)
  await submitDraft(later)
  expect(made).toEqual(calls)
  expect(queuedTexts()).toEqual(queued)
  expect(useAppState.getState().draft).toEqual({ text: '', files: [], pastes: [] })
})

test('a draft with files is queued while a turn runs: an interjection has none', async () => {
  const calls = givenDraft(busy, [file])
  await submitDraft(false)
  expect([calls, queuedTexts()]).toEqual([[], ['hello']])
})

test('text and files that were added while the draft was on its way stay', async () => {
  givenDraft(idle)
  const sent = submitDraft(false)
  editDraft({ text: 'hello and more' })
  editDraft({ files: [file] })
  await sent
  expect(useAppState.getState().draft).toEqual({ text: ' and more', files: [file], pastes: [] })
})

test('a draft that does not arrive stays', async () => {
  const refused = () => Promise.reject(new ClientError('server.unreachable', 'Away.', 0))
  givePage({ openId: 'c', conversation: idle, draft: { text: 'hello', files: [], pastes: [] } }, { send: refused })
  await submitDraft(false)
  expect(useAppState.getState().draft.text).toBe('hello')
})

test('an empty draft is not sent', async () => {
  givePage({ openId: 'c', conversation: idle, draft: { text: '  ', files: [], pastes: [] } })
  await submitDraft(false)
  expect(useAppState.getState().draft.text).toBe('  ')
})

test('a draft whose file could not be uploaded stays, and says so', async () => {
  const failed = { key: 'k', name: 'a.txt', mediaType: 'text/plain', problem: 'Larger than 20 MB' }
  givePage({ openId: 'c', conversation: idle, draft: { text: 'hello', files: [failed], pastes: [] } })
  await submitDraft(false)
  expect(useAppState.getState().draft.files).toEqual([failed])
  expect(useAppState.getState().notice?.text).toContain('a.txt could not be uploaded')
})

test.each([
  { name: 'queued', later: true, calls: ['send hello'], queued: ['and more'] },
  { name: 'interjected', later: false, calls: ['send hello', 'interject and more'], queued: [] },
])('text that is pressed before the turn was heard of is $name once it is', async ({ later, calls, queued }) => {
  const made = givenDraft(idle)
  const first = submitDraft(false)
  editDraft({ text: 'and more' })
  await Promise.all([first, submitDraft(later), submitDraft(later)])
  expect([made, queuedTexts()]).toEqual([calls, queued])
  expect(useAppState.getState().draft.text).toBe('')
})

test('text that is pressed behind a message that does not arrive stays with it', async () => {
  const refused = () => Promise.reject(new ClientError('server.unreachable', 'Away.', 0))
  givePage({ openId: 'c', conversation: idle, draft: { text: 'hello', files: [], pastes: [] } }, { send: refused })
  const first = submitDraft(false)
  editDraft({ text: 'hello again' })
  await Promise.all([first, submitDraft(true)])
  expect([useAppState.getState().draft.text, queuedTexts()]).toEqual(['hello again', []])
})

test.each([
  { name: 'a conversation', from: 'c' },
  { name: 'the blank page', from: undefined },
])(
  'a draft of $name is gone once it has arrived, though another conversation was opened meanwhile',
  async ({ from }) => {
    const sent: string[] = []
    const client: Partial<Client> = {
      createConversation: async () => ({ id: 'c', head: null }),
      async send(id) {
        sent.push(id)
        return { turnId: 't', seq: 1 }
      },
    }
    const open = from === undefined ? {} : { openId: from, conversation: idle }
    givePage({ ...open, draft: { text: 'hello', files: [], pastes: [] } }, client)
    const arrived = submitDraft(false)
    switchDraft('other')
    useAppState.setState({ openId: 'other', conversation: undefined })
    editDraft({ text: 'hello you' })
    await arrived
    const { openId, draft, drafts } = useAppState.getState()
    expect({ sent, openId, text: draft.text, drafts }).toEqual({
      sent: ['c'],
      openId: 'other',
      text: 'hello you',
      drafts: {},
    })
  },
)

test('what was pressed behind a message on its way is not sent from the conversation that was opened meanwhile', async () => {
  const calls = givenDraft(idle)
  const first = submitDraft(false)
  editDraft({ text: 'hello again' })
  const second = submitDraft(false)
  switchDraft('other')
  useAppState.setState({ openId: 'other', conversation: undefined })
  editDraft({ text: 'a thought of the other' })
  await Promise.all([first, second])
  const { draft, drafts } = useAppState.getState()
  expect(calls).toEqual(['send hello'])
  expect([draft.text, drafts.c?.text]).toEqual(['a thought of the other', ' again'])
})

test('what was pressed while another act was under way is not sent from the conversation that was opened meanwhile', async () => {
  const calls = givenDraft(idle)
  useAppState.setState({ sending: true })
  const sent = submitDraft(false)
  useAppState.setState({ openId: 'other', draft: { text: 'half-written', files: [], pastes: [] } })
  useAppState.setState({ sending: false })
  await sent
  expect(calls).toEqual([])
  expect(useAppState.getState().draft.text).toBe('half-written')
})
