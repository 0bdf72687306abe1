import type { ElicitRequestFormParams, InputRequiredResult, Server, ServerContext } from '@modelcontextprotocol/server'
import { digest } from './digest.ts'

type Sdk = typeof import('@modelcontextprotocol/server')

/** The person at the client. Without one to ask, the answer is no. */
export interface Person {
  /** The answer, or nothing when the client has to call again with it. */
  ask(payload: unknown): Promise<object | undefined>
  /** The result for a client that has to call again with the answer. */
  readonly waits?: InputRequiredResult | undefined
}

const canAsk = (server: Server): boolean => server.getClientCapabilities()?.elicitation !== undefined
const unasked = { decision: 'deny', reason: 'This needs a permission, and the client cannot ask its person.' }
const decided = (action: string | undefined, content: Readonly<Record<string, unknown>> | undefined): object =>
  action === 'accept' && content?.decision === 'allow'
    ? { decision: 'allow', scope: 'once' }
    : { decision: 'deny', reason: 'The person did not allow it.' }

/** Revisions up to 2025-11-25: the client is asked while the call waits. */
export class PersonNow implements Person {
  readonly #server: Server
  readonly #ctx: ServerContext

  constructor(server: Server, ctx: ServerContext) {
    this.#server = server
    this.#ctx = ctx
  }

  async ask(payload: unknown): Promise<object> {
    if (!canAsk(this.#server)) return unasked
    const { signal, elicitInput } = this.#ctx.mcpReq
    const said = await elicitInput(permissionForm(payload), { signal }).catch(() => undefined)
    return decided(said?.action, said?.content)
  }
}

/** From 2026-07-28 on: the call ends with the question, and comes again with the answer. */
export class LaterPerson implements Person {
  readonly #sdk: Sdk
  readonly #server: Server
  readonly #ctx: ServerContext
  waits: InputRequiredResult | undefined

  constructor(sdk: Sdk, server: Server, ctx: ServerContext) {
    this.#sdk = sdk
    this.#server = server
    this.#ctx = ctx
  }

  async ask(payload: unknown): Promise<object | undefined> {
    if (!canAsk(this.#server)) return unasked
    const { inputRequired, inputResponse } = this.#sdk
    const key = await keyOf(payload)
    const said = inputResponse(this.#ctx.mcpReq.inputResponses, key)
    if (said.kind === 'elicit') return decided(said.action, said.content)
    this.waits = inputRequired({ inputRequests: { [key]: inputRequired.elicit(permissionForm(payload)) } })
    return undefined
  }
}

/** A key of the whole call: a yes to other arguments is no answer to this question. */
async function keyOf(payload: unknown): Promise<string> {
  const { name, args } = (payload ?? {}) as { name?: unknown; args?: unknown }
  return `permission-${await digest(JSON.stringify([name, args]))}`
}

function permissionForm(payload: unknown): ElicitRequestFormParams {
  const { name, args } = (payload ?? {}) as { name?: unknown; args?: unknown }
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
