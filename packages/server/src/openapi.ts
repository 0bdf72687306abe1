import { z } from 'zod'
import { type Call, calls } from './contract.ts'

type Json = Record<string, unknown>

const error = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { type: 'string' }, message: { type: 'string' } },
    },
  },
}

const json = (schema: z.ZodType | Json): Json => ({
  content: {
    'application/json': {
      schema: schema instanceof z.ZodType ? withoutMeta(z.toJSONSchema(schema, { io: 'input' })) : schema,
    },
  },
})

function withoutMeta({ $schema: _, ...schema }: Json): Json {
  return schema
}

/** The OpenAPI document, made from the table of calls. */
export function openApi(): Json {
  const paths: Record<string, Json> = {}
  for (const [operationId, call] of Object.entries(calls)) {
    const path = call.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [call.method]: { operationId, ...operation(call) } }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Turnbuckle',
      version: '0.1.0',
      description: 'Conversations with an agent: trees, turns, questions.',
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    paths,
  }
}

function operation(call: Call): Json {
  const failures = { 400: 'body.invalid', 401: 'token.invalid', 403: 'host.foreign, origin.foreign', ...call.errors }
  const responses: Record<string, Json> = {
    [call.status]: { description: 'Done', ...(call.answer ? json(call.answer) : {}) },
  }
  for (const [status, codes] of Object.entries(failures)) responses[status] ??= { description: codes, ...json(error) }
  return {
    summary: call.summary,
    parameters: [...pathParameters(call.path), ...queryParameters(call.query)],
    ...(call.body ? { requestBody: { required: !call.body.safeParse(undefined).success, ...json(call.body) } } : {}),
    responses,
  }
}

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
