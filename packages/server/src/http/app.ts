import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { TurnbuckleError } from 'turnbuckle'
import { type AccessCheck, bearerToken } from '../access/access-check.ts'
import type { Visitor } from '../access/people.ts'
import { wireJson } from '../base/wire-json.ts'
import { checkInput } from './check-input.ts'
import { type Call, calls, type Handlers } from './contract.ts'
import { httpError } from './http-error.ts'
import { openApi } from './openapi.ts'
import { maxBytes, readBody } from './read-body.ts'
import { safeHeaders } from './safe-headers.ts'

/** Variables of a request that was let in, and its connection. */
export type Visit = { Variables: { person: string; visitor: Visitor }; Bindings: HttpBindings }

/** The HTTP app: the access check, then the table of calls. Streams, AG-UI and web files mount their routes on it. */
export function createApp(access: AccessCheck, handlers: Handlers, report: (error: unknown) => void): Hono<Visit> {
  const app = new Hono<Visit>()
  app.onError((error, c) => {
    const { status, body } = httpError(error)
    if (status === 500) report(error)
    // The rest of a body that is too large is not read, so no other request can follow on this connection.
    if (status === 413) c.header('connection', 'close')
    return json(c, status, body)
  })
  app.notFound(c =>
    json(c, 404, { error: { code: 'route.missing', message: `There is no ${c.req.method} ${c.req.path} here.` } }),
  )
  app.use(async (c, next) => {
    access.checkOrigin({ host: c.req.header('host'), origin: c.req.header('origin') })
    await next()
    for (const [name, value] of Object.entries(safeHeaders))
      if (!c.res.headers.has(name)) c.res.headers.set(name, value)
  })
  app.get('/healthz', c => json(c, 200, { status: 'ok' }))
  const admit = async (c: Context<Visit>, next: () => Promise<void>) => {
    const visitor = access.checkToken(bearerToken(c.req.header('authorization')))
    c.set('visitor', visitor)
    c.set('person', visitor.person)
    await next()
    c.res.headers.set('cache-control', 'no-store')
  }
  app.use('/api/*', admit)
  app.use('/ag-ui', admit)
  app.use(
    bodyLimit({
      maxSize: maxBytes,
      onError: () => {
        throw new TurnbuckleError('body.tooLarge', `A body may have ${maxBytes} bytes.`)
      },
    }),
  )
  app.get('/api/openapi.json', c => json(c, 200, openApi()))
  for (const [name, call] of Object.entries(calls) as [keyof typeof calls, Call][])
    app.on(call.method.toUpperCase(), call.path, async c => {
      const query = checkInput(call.query, c.req.query(), 'query.invalid')
      const body = call.body ? checkInput(call.body, await readBody(c), 'body.invalid') : undefined
      const handle = handlers[name] as (input: unknown) => unknown
      const key = call.keyed && idempotencyKey(c)
      const answer = await handle({ person: c.get('person'), params: c.req.param(), query, body, key })
      return call.status === 204 ? c.body(null, 204) : json(c, call.status, answer)
    })
  return app
}

function idempotencyKey(c: Context): string | undefined {
  const key = c.req.header('idempotency-key') || undefined
  if (key && key.length > 300)
    throw new TurnbuckleError('idempotency.invalid', 'An Idempotency-Key may have 300 characters.')
  return key
}

function json(c: Context, status: number, value: unknown): Response {
  return c.body(wireJson(value), status as 200, { 'content-type': 'application/json; charset=utf-8' })
}
