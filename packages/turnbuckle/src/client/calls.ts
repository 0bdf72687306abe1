import type {
  ConversationChange,
  ProviderTrial,
  ProviderTrialResult,
  SettingsChange,
  WireMcpServer,
  WireSettings,
  WireTool,
  WireTrustItem,
} from './settings.ts'
import type {
  AskedRequest,
  AuditEntry,
  ConversationSummary,
  NewSchedule,
  NewTurn,
  PersonRole,
  SearchHit,
  SharedAccess,
  StoredPermission,
  UploadedFile,
  WireConversation,
  WireDecision,
  WireHidden,
  WireMiddleware,
  WireModel,
  WireNode,
  WirePerson,
  WireSchedule,
  WireShareLink,
  WireTrace,
} from './wire.ts'

/** The refusal of a call, with its code, `noun.problem`. `server.unreachable`: there was no answer. */
export class ClientError extends Error {
  /** The name of the class. */
  override readonly name = 'ClientError'
  /** The server's `noun.problem`. */
  readonly code: string
  /** The HTTP status. */
  readonly status: number
  /** For `request.answered`: what was decided. */
  readonly decision: unknown

  constructor(code: string, message: string, status: number, decision?: unknown) {
    super(message)
    this.code = code
    this.status = status
    this.decision = decision
  }
}

/** The calls of the HTTP interface. Each rejects with a `ClientError`. */
export interface Calls {
  /** Two calls with one `key` make one conversation. */
  createConversation(title?: string, key?: string): Promise<{ id: string; head: string | null }>
  /** A page of the list, newest first. */
  listConversations(page?: { limit?: number; before?: string }): Promise<readonly ConversationSummary[]>
  /** Reads a conversation: tree, turns, calls, requests. */
  conversation(id: string): Promise<WireConversation>
  /** Changes the title, moves the head, or changes the conversation's own settings. */
  changeConversation(id: string, change: ConversationChange): Promise<ConversationSummary>
  /** Deletes a conversation for good. */
  deleteConversation(id: string): Promise<void>
  /** The conversation as `turnbuckle import` reads it. */
  exportConversation(
    id: string,
  ): Promise<{ id: string; title: string; head: string | null; nodes: readonly WireNode[] }>
  /** Makes a conversation of an exported one, JSON or Markdown. */
  importConversation(text: string): Promise<{ id: string; head: string | null }>
  /** Makes a read-only link: of the branch that ends with a message, or, without one, of the tree. The `url` is shown this once, and lacks the server's origin. */
  shareLink(conversationId: string, messageId?: string): Promise<{ id: string; url: string }>
  /** The read-only links of a conversation, newest first. */
  shareLinks(conversationId: string): Promise<readonly WireShareLink[]>
  /** Revokes a read-only link. */
  revokeShareLink(conversationId: string, shareId: string): Promise<void>
  /** Uploads a file of at most 20 MiB, for `attachments`. One that no message has is deleted after a day. */
  uploadFile(file: Blob, name?: string): Promise<UploadedFile>
  /** The bytes of a file of a conversation that this person may read, or of an own upload. */
  readFile(id: string): Promise<Blob>
  /** Hides a message, and all below it. */
  hideMessage(conversationId: string, messageId: string): Promise<void>
  /** Takes hiding back. */
  restoreMessage(conversationId: string, messageId: string): Promise<void>
  /** The messages that are hidden now. */
  hiddenMessages(conversationId: string): Promise<readonly WireHidden[]>
  /** The models that can be used here, and which is the default. */
  models(): Promise<{ readonly default: string; readonly models: readonly WireModel[] }>
  /** Finds messages by their text. */
  search(query: string): Promise<readonly SearchHit[]>
  /** Two calls with one `key` make one turn. */
  send(conversationId: string, turn: NewTurn, key?: string): Promise<{ turnId: string; seq: number }>
  /** Has a message sent later, or again and again. Only a server with an engine can. Two calls with one `key` make one schedule. */
  schedule(conversationId: string, schedule: NewSchedule, key?: string): Promise<WireSchedule>
  /** The schedules of a conversation, the next turn first. */
  schedules(conversationId: string): Promise<readonly WireSchedule[]>
  /** Cancels a schedule. Turns of it that have begun go on. */
  cancelSchedule(conversationId: string, scheduleId: string): Promise<void>
  /** Ends a turn now. */
  interrupt(turnId: string, reason?: string): Promise<void>
  /** Says something to a turn that runs. */
  interject(turnId: string, text: string): Promise<void>
  /** Open questions of other people's conversations that name this person. */
  requests(): Promise<readonly AskedRequest[]>
  /** Answers a request. */
  answer(requestId: string, answer: unknown): Promise<void>
  /** Every directive of a turn, with who gave it and whether it won. */
  explain(turnId: string): Promise<readonly WireDecision[]>
  /** The timeline of a turn. */
  trace(turnId: string): Promise<WireTrace>
  /** The middleware of the server's agent. */
  middleware(): Promise<readonly WireMiddleware[]>
  /** Switches a middleware while it runs: for one conversation, or, without one, for everyone. */
  switchMiddleware(name: string, enabled: boolean, conversationId?: string): Promise<WireMiddleware>
  /** Standing permissions. */
  permissions(): Promise<readonly StoredPermission[]>
  /** Takes a standing permission back. */
  revokePermission(id: string): Promise<void>
  /** The person of this client's token. */
  me(): Promise<{ readonly name: string; readonly role: PersonRole }>
  /** Everybody whose token counts. For owners. */
  people(): Promise<readonly WirePerson[]>
  /** Makes a person; their token is shown this once. `expires`: milliseconds from now on. For owners. */
  makePerson(person: {
    name: string
    role: PersonRole
    expires?: number
  }): Promise<WirePerson & { readonly token: string }>
  /** Revokes a person's token; their sockets are closed. For owners. */
  revokePerson(name: string): Promise<void>
  /** Shares a conversation with a person. */
  sharePerson(conversationId: string, name: string, access: SharedAccess): Promise<void>
  /** Takes that back. */
  unsharePerson(conversationId: string, name: string): Promise<void>
  /** A page of the audit list, newest first. For owners. */
  audit(page?: { limit?: number; before?: string }): Promise<readonly AuditEntry[]>
  /** The tools of the server's agent, with their schemas and permissions. */
  tools(): Promise<readonly WireTool[]>
  /** The MCP servers of the settings. */
  mcpServers(): Promise<readonly WireMcpServer[]>
  /** The settings in force, and where each comes from. For owners. */
  settings(): Promise<WireSettings>
  /** Changes the user's file, and gives the settings then in force. For owners. */
  changeSettings(change: SettingsChange): Promise<WireSettings>
  /** Asks a provider's model one thing, to see whether key and address work. For owners. */
  testProvider(name: string, trial?: ProviderTrial): Promise<ProviderTrialResult>
  /** Parts of the project that wait for trust. For owners. */
  untrusted(): Promise<readonly WireTrustItem[]>
  /** Trusts exactly the content with that hash. For owners. */
  trust(item: Pick<WireTrustItem, 'kind' | 'name' | 'hash'>): Promise<void>
}

/** Makes a call; gives the body of its answer. Bytes are sent as they are, all other bodies as JSON. */
export type Caller = (method: string, path: string, body?: unknown, key?: string) => Promise<never>

/** Fetches an answer that is no JSON. Rejects as any call. */
export type Fetcher = (method: string, path: string, body?: unknown, key?: string) => Promise<Response>

export function createFetcher(url: string, token: string, given?: typeof fetch): Fetcher {
  return async (method, path, body, key) => {
    const headers: Record<string, string> = { authorization: `Bearer ${token}` }
    if (key !== undefined) headers['idempotency-key'] = key
    const sent = body === undefined ? undefined : sentBody(body)
    const fetching = (given ?? fetch)(url + path, {
      method,
      ...(sent ? { body: sent.body } : {}),
      headers: sent ? { ...headers, 'content-type': sent.type } : headers,
    })
    const response = await fetching.catch(() => {
      throw new ClientError('server.unreachable', 'The server does not answer.', 0)
    })
    if (response.ok) return response
    throw refusal(response.status, await response.text())
  }
}

const sentBody = (body: unknown): { readonly body: Blob | string; readonly type: string } =>
  body instanceof Blob
    ? { body, type: body.type || 'application/octet-stream' }
    : { body: JSON.stringify(body), type: 'application/json' }

export function createCaller(fetcher: Fetcher): Caller {
  return async (...given) => {
    const text = await (await fetcher(...given)).text()
    return (text ? JSON.parse(text) : undefined) as never
  }
}

function refusal(status: number, text: string): ClientError {
  try {
    const { error, decision } = JSON.parse(text) as { error: { code: string; message: string }; decision?: unknown }
    return new ClientError(error.code, error.message, status, decision)
  } catch {
    return new ClientError('server.error', `The server answered with ${status}.`, status)
  }
}

export function createCalls(fetcher: Fetcher): Calls {
  const call = createCaller(fetcher)
  const at = (id: string, rest = '') => `/api/conversations/${encodeURIComponent(id)}${rest}`
  const turn = (id: string, what: string) => `/api/turns/${encodeURIComponent(id)}/${what}`
  return {
    createConversation: (title, key) => call('POST', '/api/conversations', title ? { title } : {}, key),
    async listConversations({ limit = 100, before } = {}) {
      const cursor = before ? `&before=${encodeURIComponent(before)}` : ''
      const { conversations } = await call('GET', `/api/conversations?limit=${limit}${cursor}`)
      return conversations
    },
    conversation: id => call('GET', at(id)),
    changeConversation: (id, change) => call('PATCH', at(id), change),
    deleteConversation: id => call('DELETE', at(id)),
    exportConversation: id => call('GET', at(id, '/export')),
    hideMessage: (id, messageId) => call('DELETE', at(id, `/messages/${encodeURIComponent(messageId)}`)),
    restoreMessage: (id, messageId) => call('POST', at(id, `/messages/${encodeURIComponent(messageId)}/restore`)),
    hiddenMessages: async id => pick(await call('GET', at(id, '/hidden')), 'hidden'),
    models: () => call('GET', '/api/models'),
    search: async query => pick(await call('GET', `/api/search?q=${encodeURIComponent(query)}`), 'results'),
    send: (id, body, key) => call('POST', at(id, '/turns'), body, key),
    schedule: (id, body, key) => call('POST', at(id, '/schedules'), body, key),
    schedules: async id => pick(await call('GET', at(id, '/schedules')), 'schedules'),
    cancelSchedule: (id, scheduleId) => call('DELETE', at(id, `/schedules/${encodeURIComponent(scheduleId)}`)),
    interrupt: (id, reason) => call('POST', turn(id, 'interrupt'), reason ? { reason } : {}),
    interject: (id, text) => call('POST', turn(id, 'interject'), { text }),
    requests: async () => pick(await call('GET', '/api/requests'), 'requests'),
    answer: (id, answer) => call('POST', `/api/requests/${encodeURIComponent(id)}/answer`, answer),
    explain: async id => pick(await call('GET', turn(id, 'explain')), 'decisions'),
    trace: id => call('GET', turn(id, 'trace')),
    middleware: async () => pick(await call('GET', '/api/middleware'), 'middleware'),
    switchMiddleware: (name, enabled, conversationId) =>
      call('PATCH', `/api/middleware/${encodeURIComponent(name)}`, {
        enabled,
        ...(conversationId === undefined ? {} : { conversationId }),
      }),
    permissions: async () => pick(await call('GET', '/api/permissions'), 'permissions'),
    revokePermission: id => call('DELETE', `/api/permissions/${encodeURIComponent(id)}`),
    ...createPeopleCalls(call),
    ...createFileCalls(call, fetcher),
    ...createSettingsCalls(call),
  }
}

type PeopleCalls = 'me' | 'people' | 'makePerson' | 'revokePerson' | 'sharePerson' | 'unsharePerson' | 'audit'

function createPeopleCalls(call: Caller): Pick<Calls, PeopleCalls> {
  const shared = (id: string, name: string) =>
    `/api/conversations/${encodeURIComponent(id)}/people/${encodeURIComponent(name)}`
  return {
    me: () => call('GET', '/api/me'),
    people: async () => pick(await call('GET', '/api/people'), 'people'),
    makePerson: person => call('POST', '/api/people', person),
    revokePerson: name => call('DELETE', `/api/people/${encodeURIComponent(name)}`),
    sharePerson: (id, name, access) => call('PUT', shared(id, name), { access }),
    unsharePerson: (id, name) => call('DELETE', shared(id, name)),
    async audit({ limit = 100, before } = {}) {
      const cursor = before ? `&before=${encodeURIComponent(before)}` : ''
      return pick(await call('GET', `/api/audit?limit=${limit}${cursor}`), 'entries')
    },
  }
}

type FileCalls = 'importConversation' | 'shareLink' | 'shareLinks' | 'revokeShareLink' | 'uploadFile' | 'readFile'

function createFileCalls(call: Caller, fetcher: Fetcher): Pick<Calls, FileCalls> {
  const links = (id: string) => `/api/conversations/${encodeURIComponent(id)}/share`
  return {
    importConversation: text => call('POST', '/api/import', new Blob([text])),
    shareLink: (id, messageId) => call('POST', links(id), messageId === undefined ? {} : { messageId }),
    shareLinks: async id => pick(await call('GET', links(id)), 'links'),
    revokeShareLink: (id, shareId) => call('DELETE', `${links(id)}/${encodeURIComponent(shareId)}`),
    uploadFile: (file, name) =>
      call('POST', `/api/files${name === undefined ? '' : `?name=${encodeURIComponent(name)}`}`, file),
    readFile: async id => (await fetcher('GET', `/api/files/${encodeURIComponent(id)}`)).blob(),
  }
}

type SettingsCalls = 'tools' | 'mcpServers' | 'settings' | 'changeSettings' | 'testProvider' | 'untrusted' | 'trust'

function createSettingsCalls(call: Caller): Pick<Calls, SettingsCalls> {
  return {
    tools: async () => pick(await call('GET', '/api/tools'), 'tools'),
    mcpServers: async () => pick(await call('GET', '/api/mcp'), 'servers'),
    settings: () => call('GET', '/api/settings'),
    changeSettings: change => call('PATCH', '/api/settings', change),
    testProvider: (name, trial = {}) => call('POST', `/api/providers/${encodeURIComponent(name)}/test`, trial),
    untrusted: async () => pick(await call('GET', '/api/trust'), 'items'),
    trust: ({ kind, name, hash }) => call('POST', '/api/trust', { kind, name, hash }),
  }
}

const pick = (from: Record<string, never>, key: string): never => from[key] as never
