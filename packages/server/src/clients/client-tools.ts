import { type Middleware, middleware, tool } from 'turnbuckle'
import type { z } from 'zod'
import type { sentTools } from '../http/client-routes.ts'

/** A tool that the client has: it runs where the person is. */
export interface ClientTool {
  readonly name: string
  readonly description?: string | undefined
  /** JSON Schema of the arguments. */
  readonly schema: object
}

/** The tools that a client has sent. */
export function clientToolsOf(sent: z.output<typeof sentTools> | null | undefined): readonly ClientTool[] {
  const named = Array.isArray(sent) ? sent : Object.entries(sent ?? {}).map(([name, about]) => ({ ...about, name }))
  return named.map(({ name, description, parameters, inputSchema }) => ({
    name,
    description: description ?? undefined,
    schema: { type: 'object', ...(parameters ?? inputSchema) },
  }))
}

/** The result of a call that the client has run. */
export interface ClientResult {
  readonly callId: string
  readonly status: 'ok' | 'error'
  readonly value: unknown
}

/** The kind of the requests that ask a client for the result of a call. */
export const clientToolKind = 'client-tool'

const answerSchema = {
  type: 'object',
  properties: { status: { enum: ['ok', 'error'] }, value: {} },
  required: ['status'],
}

/**
 * Gives the model the tools of a client, for one turn. A call is a request: the stream to the client ends there, and its next request
 * brings the result. Guards are asked before, as about any other call. A tool that the agent has itself stays the agent's.
 */
export function clientTools(tools: readonly ClientTool[]): Middleware {
  return middleware({
    name: 'client-tools',
    tools: tools.map(({ name }) => name),
    provides: tools.map(({ name, description = '', schema }) =>
      tool({
        name,
        description,
        schema,
        // The client runs it; here nothing happens that must not happen twice.
        idempotent: true,
        run: () => null,
      }),
    ),
    async wrapTool(ctx, next) {
      // Arguments that do not fit, and calls that a guard blocks, end here: the client is asked for neither.
      const admitted = await next()
      if (admitted.status !== 'ok') return admitted
      const { id: callId, name, args } = ctx.call
      const fallback = { status: 'error', value: 'The client has not run it.' }
      const answer = await ctx.ask<{ status: 'ok' | 'error'; value?: unknown }>(
        clientToolKind,
        { callId, name, args },
        { fallback, schema: answerSchema },
      )
      return { status: answer.status, value: answer.value ?? null }
    },
  })
}

/** The call that a request wants the client's result of. */
export function calledByRequest({
  kind,
  payload,
}: {
  readonly kind: string
  readonly payload?: unknown
}): string | undefined {
  const { callId } = (payload ?? {}) as { readonly callId?: unknown }
  return kind === clientToolKind && typeof callId === 'string' ? callId : undefined
}
