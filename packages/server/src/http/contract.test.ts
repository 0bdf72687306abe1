import { type Client, createClient } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import type { Call } from './call.ts'
import { type CallName, calls } from './contract.ts'

/** Each call of the contract, as the typed client makes it. One that is missing here is an error of types. */
const asClient: Record<CallName, (client: Client) => Promise<unknown>> = {
  createConversation: client => client.createConversation('Title', 'key'),
  listConversations: client => client.listConversations({ limit: 3, before: 'x' }),
  getConversation: client => client.conversation('x'),
  changeConversation: client => client.changeConversation('x', { title: 'Title' }),
  deleteConversation: client => client.deleteConversation('x'),
  exportConversation: client => client.exportConversation('x'),
  startTurn: client => client.send('x', { text: 'Hi.' }, 'key'),
  addSchedule: client => client.schedule('x', { text: 'Hi.', at: 1, every: 60_000 }, 'key'),
  listSchedules: client => client.schedules('x'),
  cancelSchedule: client => client.cancelSchedule('x', 'x'),
  hideMessage: client => client.hideMessage('x', 'x'),
  restoreMessage: client => client.restoreMessage('x', 'x'),
  listHidden: client => client.hiddenMessages('x'),
  listModels: client => client.models(),
  search: client => client.search('x y'),
  interruptTurn: client => client.interrupt('x', 'enough'),
  interject: client => client.interject('x', 'and'),
  explainTurn: client => client.explain('x'),
  traceTurn: client => client.trace('x'),
  listRequests: client => client.requests(),
  answerRequest: client => client.answer('x', { decision: 'allow' }),
  listMiddleware: client => client.middleware(),
  switchMiddleware: client => client.switchMiddleware('x', false),
  listPermissions: client => client.permissions(),
  revokePermission: client => client.revokePermission('x'),
  getMe: client => client.me(),
  listPeople: client => client.people(),
  makePerson: client => client.makePerson({ name: 'bob', role: 'member', expires: 1000 }),
  revokePerson: client => client.revokePerson('x'),
  shareWithPerson: client => client.sharePerson('x', 'x', 'read'),
  unshareWithPerson: client => client.unsharePerson('x', 'x'),
  uploadFile: client => client.uploadFile(new Blob(['bytes'], { type: 'image/png' }), 'a b.png'),
  readFile: client => client.readFile('x'),
  importConversation: client => client.importConversation('bytes'),
  makeShareLink: client => client.shareLink('x', 'y'),
  listShareLinks: client => client.shareLinks('x'),
  revokeShareLink: client => client.revokeShareLink('x', 'x'),
  readAudit: client => client.audit({ limit: 3, before: 'x' }),
  listTools: client => client.tools(),
  listMcpServers: client => client.mcpServers(),
  readSettings: client => client.settings(),
  changeSettings: client => client.changeSettings({ model: 'offline', env: { OPENAI_API_KEY: null } }),
  testProvider: client => client.testProvider('x', { key: 'k' }),
  listUntrusted: client => client.untrusted(),
  trust: client => client.trust({ kind: 'hook', name: './x.ts', hash: 'h' }),
}

test.each(Object.keys(calls) as CallName[])('the typed client makes the call %s as the contract has it', async name => {
  const { method, path, query, body, keyed, takesBytes }: Call = calls[name]
  const made: Request[] = []
  const client = createClient({
    url: 'http://server',
    token: 'secret',
    fetch: async (url, init) => {
      made.push(new Request(url, init))
      return new Response('{}')
    },
  })
  await asClient[name](client)
  const [request] = made
  const url = new URL(request?.url ?? '')
  expect(`${request?.method} ${url.pathname}`).toBe(`${method.toUpperCase()} ${path.replace(/:\w+/g, 'x')}`)
  expect(request?.headers.get('authorization')).toBe('Bearer secret')
  expect(request?.headers.get('idempotency-key')).toBe(keyed ? 'key' : null)
  query?.parse(Object.fromEntries(url.searchParams))
  if (body) body.parse(await request?.json())
  else expect(await request?.text()).toBe(takesBytes ? 'bytes' : '')
})
