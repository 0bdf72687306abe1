import { z } from 'zod'
import manifest from '../../package.json' with { type: 'json' }
import type { Call } from './call.ts'
import { calls, streams } from './contract.ts'
import { sharedCalls } from './file-calls.ts'

type Json = Record<string, unknown>

/** The body of every answer that is no success. */
const errorSchema: Json = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { type: 'string' }, message: { type: 'string' } },
    },
    decision: { description: 'With request.answered: what was decided.' },
  },
}

const json = (schema: Json): Json => ({ content: { 'application/json': { schema } } })

function schemaOf(schema: z.ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' })
  return rest
}

/** The OpenAPI document, made from the same table as the routes. */
export function openApi(): Json {
  const paths: Record<string, Json> = {
    '/healthz': { get: { operationId: 'health', summary: 'Whether it runs', security: [], responses: healthy } },
    '/api/openapi.json': { get: { operationId: 'openapi', summary: 'This document', responses: described } },
    '/api/socket': { get: { operationId: 'socket', summary: socketSummary, responses: upgraded } },
  }
  const add = (operationId: string, call: Documented, success: Json) => {
    const path = call.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [call.method]: { operationId, ...operation(call, success) } }
  }
  for (const [name, call] of Object.entries(calls) as [string, Call][]) add(name, call, successOf(call))
  for (const [name, call] of Object.entries(sharedCalls)) add(name, call, successOf(call))
  for (const [name, call] of Object.entries(streams) as [string, Documented][]) add(name, call, streamAnswer(call))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Turnbuckle',
      version: manifest.version,
      description: 'Conversations with an agent: trees, turns, questions.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } }, schemas: { Error: errorSchema } },
    paths,
  }
}

const bytes: Json = { content: { '*/*': { schema: { type: 'string', format: 'binary' } } } }

function successOf({ status, answer, answersBytes }: Pick<Call, 'status' | 'answer' | 'answersBytes'>): Json {
  return {
    [status]: { description: 'Done', ...(answersBytes ? bytes : {}), ...(answer ? json(schemaOf(answer)) : {}) },
  }
}

const socketSummary = 'The WebSocket. The token is the subprotocol `turnbuckle.TOKEN`'
const upgraded: Json = {
  101: { description: 'A WebSocket' },
  ...failures({ 401: 'token.invalid', 403: 'host.foreign' }),
}
const healthy: Json = {
  200: { description: 'It runs', ...json({ type: 'object', properties: { status: { const: 'ok' } } }) },
}
const described: Json = { 200: { description: 'The document', ...json({ type: 'object' }) } }
const streaming: Json = {
  200: { description: 'Events', content: { 'text/event-stream': { schema: { type: 'string' } } } },
}

interface Documented extends Omit<Call, 'act' | 'status'> {
  readonly headers?: readonly string[]
  /** Answers 204 where there is nothing to stream. */
  readonly orEmpty?: boolean
}

/** A route of a stream may have an answer of JSON instead. */
const streamAnswer = ({ answer, orEmpty }: Documented): Json => ({
  ...(answer ? { 200: { description: 'Done', ...json(schemaOf(answer)) } } : streaming),
  ...(orEmpty ? { 204: { description: 'Nothing runs' } } : {}),
})

function operation(call: Documented, success: Json): Json {
  const headers = [...(call.headers ?? []), ...(call.keyed ? ['Idempotency-Key'] : [])]
  return {
    summary: call.summary,
    parameters: [...pathParameters(call.path), ...queryParameters(call.query), ...headers.map(headerParameter)],
    ...(call.body ? { requestBody: { required: !call.body.safeParse({}).success, ...json(schemaOf(call.body)) } } : {}),
    ...(call.takesBytes ? { requestBody: { required: true, ...bytes } } : {}),
    responses: { ...success, ...failures(commonErrors(call), call.errors) },
  }
}

/** Error codes that any call may be refused with, by status. */
function commonErrors({ body, query, keyed, takesBytes }: Documented): Record<number, string> {
  const invalid = [
    (body || takesBytes) && 'body.invalid',
    query && 'query.invalid',
    keyed && 'idempotency.invalid',
  ].filter(Boolean)
  return {
    ...(invalid.length ? { 400: invalid.join(', ') } : {}),
    401: 'token.invalid',
    403: 'host.foreign, origin.foreign, role.missing',
    ...(body || takesBytes ? { 413: 'body.tooLarge' } : {}),
    500: 'server.error',
    503: 'server.closing, store.failed, store.readonly, store.unwritable, store.unreachable, store.damaged',
    507: 'store.full',
  }
}

/** The refusals of a call by status, each with its error codes. */
function failures(...tables: readonly (Readonly<Record<number, string>> | undefined)[]): Record<string, Json> {
  const codes = new Map<string, string[]>()
  for (const [status, list] of tables.flatMap(table => Object.entries(table ?? {})))
    codes.set(status, [...(codes.get(status) ?? []), ...list.split(', ')])
  return Object.fromEntries(
    Array.from(codes, ([status, list]) => {
      const code = { properties: { error: { properties: { code: { enum: list } } } } }
      return [
        status,
        { description: list.join(', '), ...json({ allOf: [{ $ref: '#/components/schemas/Error' }, code] }) },
      ]
    }),
  )
}

const headerParameter = (name: string): Json => ({ name, in: 'header', required: false, schema: { type: 'string' } })

const pathParameters = (path: string): Json[] =>
  Array.from(path.matchAll(/:(\w+)/g), ([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))

function queryParameters(query: z.ZodType | undefined): Json[] {
  if (!query) return []
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: 'input' })
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}
