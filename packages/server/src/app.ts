import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { TurnbuckleError } from 'turnbuckle'
import type { z } from 'zod'
import { maxBytes, parseJson } from './bounded-json.ts'
import { type Call, calls, type Handlers } from './contract.ts'
import { failureOf } from './failure.ts'
import { bearer, type Gate, safeHeaders } from './gate.ts'
import { openApi } from './openapi.ts'
import { jsonOf } from './wire.ts'

export type Visit = { Variables: { person: string } }

/** The HTTP side: who may come in, then the table of calls. Other parts mount their routes on what it gives. */
export function createApp(gate: Gate, handlers: Handlers, report: (error: unknown) => void): Hono<Visit> {
  const app = new Hono<Visit>()
  app.onError((error, c) => {
    const { status, body } = failureOf(error)
    if (status === 500) report(error)
    // The rest of what was sent is not read: nothing can follow it on this connection.
    if (status === 413) c.header('connection', 'close')
    return json(c, status, body)
  })
  app.notFound(c =>
    json(c, 404, { error: { code: 'route.missing', message: `There is no ${c.req.method} ${c.req.path} here.` } }),
  )
  app.use(async (c, next) => {
    gate.checkPlace({ host: c.req.header('host'), origin: c.req.header('origin') })
    await next()
    for (const [name, value] of Object.entries(safeHeaders)) c.res.headers.set(name, value)
  })
  app.get('/healthz', c => json(c, 200, { status: 'ok' }))
  const admit = async (c: Context<Visit>, next: () => Promise<void>) => {
    c.set('person', gate.checkToken(bearer(c.req.header('authorization'))))
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
      const query = check(call.query, c.req.query(), 'query.invalid')
      const body = call.body ? check(call.body, await bodyOf(c), 'body.invalid') : undefined
      const handle = handlers[name] as (input: unknown) => unknown
      const key = call.keyed && keyOf(c)
      const answer = await handle({ person: c.get('person'), params: c.req.param(), query, body, key })
      return call.status === 204 ? c.body(null, 204) : json(c, call.status, answer)
    })
  return app
}

function keyOf(c: Context): string | undefined {
  const key = c.req.header('idempotency-key') || undefined
  if (key && key.length > 300)
    throw new TurnbuckleError('idempotency.invalid', 'An Idempotency-Key may have 300 characters.')
  return key
}

function json(c: Context, status: number, value: unknown): Response {
  return c.body(jsonOf(value), status as 200, { 'content-type': 'application/json; charset=utf-8' })
}

/** An empty body is an empty object where that is enough. */
export async function bodyOf(c: Context): Promise<unknown> {
  const text = await c.req.text()
  return text === '' ? {} : parseJson(text)
}

export function check<Schema extends z.ZodType>(
  schema: Schema | undefined,
  value: unknown,
  code: string,
): z.output<Schema> {
  if (!schema) return undefined as z.output<Schema>
  const { success, data, error } = schema.safeParse(value)
  if (success) return data
  const problems = error.issues.map(({ path, message }) => (path.length ? `${path.join('.')}: ${message}` : message))
  throw new TurnbuckleError(code, problems.join(' '))
}
