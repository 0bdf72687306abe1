import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { TurnbuckleError } from 'turnbuckle'
import { type AccessCheck, bearerToken } from '../access/access-check.ts'
import type { Visitor } from '../access/people.ts'
import { demandRight } from '../access/rights.ts'
import type { RoleOf } from '../access/roles.ts'
import { wireJson } from '../base/wire-json.ts'
import type { Call } from './call.ts'
import { checkInput } from './check-input.ts'
import { type AnsweredBytes, calls, type Handlers, streams } from './contract.ts'
import { type HttpError, httpError, isServersFault } from './http-error.ts'
import { openAiError } from './openai-error.ts'
import { openApi } from './openapi.ts'
import { maxBytes, readBody, readBytes } from './read-body.ts'
import { headersFor } from './safe-headers.ts'

/** Variables of a request that was let in, and its connection. */
export type Visit = { Variables: { person: string; visitor: Visitor }; Bindings: HttpBindings }

/**
 * The HTTP app: the access check, then the table of calls. Streams, AG-UI and web files mount their routes on it; `mountOpen` mounts
 * routes that ask for no person's token.
 */
export function createApp(
  access: AccessCheck,
  handlers: Handlers,
  { report, roleOf }: { readonly report: (error: unknown) => void; readonly roleOf: RoleOf },
  mountOpen: (app: Hono<Visit>) => void = () => {},
): Hono<Visit> {
  const app = new Hono<Visit>()
  answerErrors(app, report)
  app.use((c, next) => {
    // On Node's own answer, where those of a handler go before them: to change an answer that is made costs more than to make it.
    const headers = headersFor({ fetchSite: c.req.header('sec-fetch-site') })
    for (const [name, value] of Object.entries(headers)) c.env.outgoing.setHeader(name, value)
    access.checkOrigin({ host: c.req.header('host'), origin: c.req.header('origin') })
    return next()
  })
  app.get('/healthz', c => json(c, 200, { status: 'ok' }))
  mountOpen(app)
  admitByToken(app, access)
  limitBodies(app)
  app.get('/api/openapi.json', c => json(c, 200, openApi()))
  mountCalls(app, handlers, roleOf)
  demandRoles(app, roleOf)
  return app
}

/** Every error has an answer in the form that its client reads; one that nobody has foreseen is reported too. */
function answerErrors(app: Hono<Visit>, report: (error: unknown) => void): void {
  app.onError((error, c) => {
    const answer = httpError(error)
    if (isServersFault(answer)) report(error)
    // The rest of a body that is too large is not read, so no other request can follow on this connection.
    if (answer.status === 413) c.header('connection', 'close')
    // A turn that has failed may have done something: clients of OpenAI would try again by themselves.
    if (answer.body.error.code === 'turn.failed') c.header('x-should-retry', 'false')
    return refusal(c, answer)
  })
  app.notFound(c => {
    const error = { code: 'route.missing', message: `There is no ${c.req.method} ${c.req.path} here.` }
    return refusal(c, { status: 404, body: { error } })
  })
}

/** Lets nobody in without a token. What was answered to a person is not kept by caches. */
function admitByToken(app: Hono<Visit>, access: AccessCheck): void {
  for (const path of ['/api/*', '/ag-ui', '/v1/*'])
    app.use(path, (c, next) => {
      const visitor = access.checkToken(bearerToken(c.req.header('authorization')))
      c.set('visitor', visitor)
      c.set('person', visitor.person)
      c.env.outgoing.setHeader('cache-control', 'no-store')
      return next()
    })
}

/** Mounts the table of calls: the person's role is looked at first, then what comes in is checked against its schemas. */
function mountCalls(app: Hono<Visit>, handlers: Handlers, roleOf: RoleOf): void {
  for (const [name, call] of Object.entries(calls) as [keyof typeof calls, Call][])
    app.on(call.method.toUpperCase(), call.path, async c => {
      demandRight(roleOf, c.get('person'), call.act)
      const query = checkInput(call.query, c.req.query(), 'query.invalid')
      const body = call.takesBytes ? await readBytes(c) : await checkedBody(call, c)
      const handle = handlers[name] as (input: unknown) => unknown
      const key = call.keyed && idempotencyKey(c)
      const answer = await handle({ person: c.get('person'), params: c.req.param(), query, body, key })
      if (call.answersBytes) return sendBytes(c, answer as AnsweredBytes)
      return call.status === 204 ? c.body(null, 204) : json(c, call.status, answer)
    })
}

/** Streams and the forms of other people's clients ask for the role that their row names, as the calls do. */
function demandRoles(app: Hono<Visit>, roleOf: RoleOf): void {
  for (const { method, path, act } of Object.values(streams))
    app.on(method.toUpperCase(), path, (c, next) => {
      demandRight(roleOf, c.get('person'), act)
      return next()
    })
}

async function checkedBody({ body }: Call, c: Context): Promise<unknown> {
  return body && checkInput(body, await readBody(c), 'body.invalid')
}

/** No body is read further than its call allows. */
function limitBodies(app: Hono<Visit>): void {
  const limits = new Map(
    (Object.values(calls) as Call[]).flatMap(({ path, takesBytes }) => (takesBytes ? [[path, takesBytes]] : [])),
  )
  app.use((c, next) => {
    const most = limits.get(c.req.path) ?? maxBytes
    const told = toldLength(c)
    // Who asks for the body before it is read gets a stream of it, which costs more than all else here.
    if (told === undefined) return bodyLimit({ maxSize: most, onError: () => refuseBody(most) })(c, next)
    return told > most ? refuseBody(most) : next()
  })
}
/** The bytes of a body, where the head of the request says how many there are: no more of them are read. */
function toldLength(c: Context): number | undefined {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return 0
  const length = c.req.header('content-length')
  return length === undefined || c.req.header('transfer-encoding') !== undefined ? undefined : Number(length)
}
function refuseBody(most: number): never {
  throw new TurnbuckleError('body.tooLarge', `A body may have ${most} bytes.`)
}

export function sendBytes(c: Context, { bytes, headers }: AnsweredBytes): Response {
  return c.body(bytes, 200, { ...headers })
}

function idempotencyKey(c: Context): string | undefined {
  const key = c.req.header('idempotency-key') || undefined
  if (key && key.length > 300)
    throw new TurnbuckleError('idempotency.invalid', 'An Idempotency-Key may have 300 characters.')
  return key
}

/** An error in the form that the client reads: under /v1 in OpenAI's. */
const refusal = (c: Context, { status, body }: HttpError): Response =>
  json(c, status, c.req.path.startsWith('/v1/') ? openAiError(status, body.error) : body)

export function json(c: Context, status: number, value: unknown): Response {
  return c.body(wireJson(value), status as 200, { 'content-type': 'application/json; charset=utf-8' })
}
