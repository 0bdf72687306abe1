import type {
  ClientCapabilities,
  CreateMessageRequestParams,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
} from '@modelcontextprotocol/server'
import { digest } from './digest.ts'

/** A request of the turn that a client over MCP is asked to answer. */
export interface Asked {
  readonly kind: string
  readonly payload: unknown
  /** The JSON Schema of the answer, where the asker gave one. */
  readonly schema?: Readonly<Record<string, unknown>> | undefined
}

/** The request in the protocol's words. */
export type ClientQuestion =
  | { readonly type: 'form'; readonly params: ElicitRequestFormParams }
  | { readonly type: 'url'; readonly params: ElicitRequestURLParams }
  | { readonly type: 'sampling'; readonly params: CreateMessageRequestParams }
  | { readonly type: 'roots' }

interface Payload {
  readonly name?: unknown
  readonly args?: unknown
  readonly question?: unknown
  readonly message?: unknown
  readonly schema?: unknown
  readonly url?: unknown
  /** The asker's own name for the question. */
  readonly key?: unknown
}

const payloadOf = ({ payload }: Asked): Payload => (typeof payload === 'object' && payload ? payload : {})

/** Undefined for a request that has no form that the protocol knows. */
export function clientQuestion(asked: Asked): ClientQuestion | undefined {
  const payload = payloadOf(asked)
  if (asked.kind === 'sampling') return { type: 'sampling', params: asked.payload as CreateMessageRequestParams }
  if (asked.kind === 'roots') return { type: 'roots' }
  if (asked.kind === 'permission') return { type: 'form', params: permissionForm(payload) }
  const message = String(payload.question ?? payload.message ?? `The agent asks: ${asked.kind}`)
  if (typeof payload.url === 'string')
    return { type: 'url', params: { mode: 'url', message, url: payload.url, elicitationId: crypto.randomUUID() } }
  const requestedSchema = formSchema(payload.schema ?? asked.schema, asked.kind)
  return requestedSchema && { type: 'form', params: { mode: 'form', message, requestedSchema } }
}

/** A form of an object's fields; a clarification is answered with text. */
function formSchema(schema: unknown, kind: string): ElicitRequestFormParams['requestedSchema'] | undefined {
  const { type, properties } = (schema ?? {}) as { readonly type?: unknown; readonly properties?: unknown }
  if (type === 'object' && typeof properties === 'object') return schema as never
  if (schema !== undefined && kind !== 'clarification') return undefined
  return { type: 'object', properties: { text: { type: 'string', title: 'Answer' } }, required: ['text'] }
}

function permissionForm({ name, args }: Payload): ElicitRequestFormParams {
  return {
    mode: 'form',
    message: `May ${String(name)} run with ${JSON.stringify(args)?.slice(0, 2000)}?`,
    requestedSchema: {
      type: 'object',
      properties: { decision: { type: 'string', enum: ['allow', 'deny'], description: 'allow or deny' } },
      required: ['decision'],
    },
  }
}

/** Whether a client has said that it takes such a question. A client of 2025-06-18 says `elicitation: {}` for forms. */
export function takesQuestion({ type }: ClientQuestion, capabilities: ClientCapabilities | undefined): boolean {
  if (type === 'sampling' || type === 'roots') return capabilities?.[type] !== undefined
  const { elicitation } = capabilities ?? {}
  if (type === 'url') return elicitation?.url !== undefined
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
}

/** The answer of a client's person, as the asker takes it: undefined for one that was not given. */
export function givenAnswer({ kind }: Asked, action: string | undefined, content: unknown): object | undefined {
  if (kind !== 'permission') return action === 'accept' ? ((content ?? {}) as object) : undefined
  const { decision } = (content ?? {}) as { readonly decision?: unknown }
  return action === 'accept' && decision === 'allow'
    ? { decision: 'allow', scope: 'once' }
    : { decision: 'deny', reason: 'The person did not allow it.' }
}

/** A key of the question as it was put: a yes to other arguments is no answer to this one. */
export async function questionKey(asked: Asked, nth: number): Promise<string> {
  const { name, args, question, message, schema, key } = payloadOf(asked)
  if (typeof key === 'string' && asked.kind !== 'permission') return key
  const about = asked.kind === 'permission' ? [name, args] : [question, message, schema, nth]
  return `${asked.kind}-${await digest(JSON.stringify(about))}`
}
