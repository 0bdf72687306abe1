import type {
  InputRequest,
  InputRequiredResult,
  RequestStateCodec,
  Server,
  ServerContext,
} from '@modelcontextprotocol/server'
import {
  type Asked,
  type ClientQuestion,
  clientQuestion,
  givenAnswer,
  questionKey,
  takesQuestion,
} from './client-question.ts'

type Sdk = typeof import('@modelcontextprotocol/server')

/** An answer; `unanswered` where the person, or the client, has none; `later` where the client has to call again with it. */
export type Answered = { readonly answer: object } | 'unanswered' | 'later'

/** The person at the client. */
export interface Person {
  ask(asked: Asked): Promise<Answered>
  /** The result for a client that has to call again with the answer. */
  readonly waits?: InputRequiredResult | undefined
  /** The error for a client that has not said that it can do what a call needs. */
  readonly lacks?: Error | undefined
}

/** The answers of earlier rounds of a call. The client carries them; the server has signed them. */
export interface CallState {
  /** A hash of the call that they were given for. */
  readonly call: string
  readonly answers: Readonly<Record<string, object>>
}

/** The longest that a timer can wait: people take their time. */
const forever = 2 ** 31 - 1
const unasked = { decision: 'deny', reason: 'This needs a permission, and the client cannot ask its person.' }

/** The question that this client takes, or the answer where it takes none: without a person the answer to a permission is no. */
function questionFor(server: Server, asked: Asked): ClientQuestion | Answered {
  const question = clientQuestion(asked)
  if (question && takesQuestion(question, server.getClientCapabilities())) return question
  return asked.kind === 'permission' ? { answer: unasked } : 'unanswered'
}
const isQuestion = (found: ClientQuestion | Answered): found is ClientQuestion =>
  typeof found === 'object' && 'type' in found

/** Revisions up to 2025-11-25: the client is asked while the call waits. */
export class PersonNow implements Person {
  readonly #server: Server
  readonly #ctx: ServerContext

  constructor(server: Server, ctx: ServerContext) {
    this.#server = server
    this.#ctx = ctx
  }

  async ask(asked: Asked): Promise<Answered> {
    const question = questionFor(this.#server, asked)
    if (!isQuestion(question)) return question
    const { signal, elicitInput, requestSampling } = this.#ctx.mcpReq
    const options = { signal, timeout: forever }
    if (question.type === 'sampling') return { answer: await requestSampling(question.params, options) }
    if (question.type === 'roots') return { answer: await this.#server.listRoots({}, options) }
    const said = await elicitInput(question.params, options).catch(() => undefined)
    const answer = givenAnswer(asked, said?.action, said?.content)
    return answer ? { answer } : 'unanswered'
  }
}

/** From 2026-07-28 on: the call ends with the question, and comes again with the answer. */
export class LaterPerson implements Person {
  readonly #sdk: Sdk
  readonly #server: Server
  readonly #ctx: ServerContext
  readonly #codec: RequestStateCodec<CallState>
  /** A hash of the call: answers to another one are not believed. */
  readonly #call: string
  readonly #answers: Map<string, object>
  readonly #questions: Record<string, InputRequest> = {}
  #count = 0
  waits: InputRequiredResult | undefined
  lacks: Error | undefined

  constructor(sdk: Sdk, server: Server, ctx: ServerContext, codec: RequestStateCodec<CallState>, call: string) {
    this.#sdk = sdk
    this.#server = server
    this.#ctx = ctx
    this.#codec = codec
    this.#call = call
    const state = ctx.mcpReq.requestState<CallState>()
    this.#answers = new Map(state?.call === call ? Object.entries(state.answers) : [])
  }

  async ask(asked: Asked): Promise<Answered> {
    const question = questionFor(this.#server, asked)
    if (question === 'unanswered' && (asked.kind === 'sampling' || asked.kind === 'roots'))
      this.lacks = new this.#sdk.MissingRequiredClientCapabilityError({ requiredCapabilities: { [asked.kind]: {} } })
    if (!isQuestion(question)) return question
    const key = await questionKey(asked, this.#count++)
    const known = this.#answers.get(key)
    if (known) return { answer: known }
    const said = this.#sdk.inputResponse(this.#ctx.mcpReq.inputResponses, key)
    if (said.kind === 'missing') return this.#wait(key, question)
    const answer = readResponse(asked, said)
    if (!answer) return 'unanswered'
    this.#answers.set(key, answer)
    return { answer }
  }

  /** Questions that are asked at once go to the client together. */
  async #wait(key: string, question: ClientQuestion): Promise<'later'> {
    this.#questions[key] = asInput(this.#sdk, question)
    await new Promise(resolve => setTimeout(resolve, 0))
    const state = { call: this.#call, answers: Object.fromEntries(this.#answers) }
    const requestState = await this.#codec.mint(state, this.#ctx)
    this.waits = this.#sdk.inputRequired({ inputRequests: this.#questions, requestState })
    return 'later'
  }
}

type Response = Exclude<ReturnType<Sdk['inputResponse']>, { kind: 'missing' }>

function readResponse(asked: Asked, said: Response): object | undefined {
  if (said.kind === 'elicit') return givenAnswer(asked, said.action, said.content)
  return said.kind === 'sampling' ? said.result : { roots: said.roots }
}

function asInput({ inputRequired }: Sdk, question: ClientQuestion): InputRequest {
  if (question.type === 'roots') return inputRequired.listRoots()
  if (question.type === 'form') return inputRequired.elicit(question.params)
  if (question.type === 'url') return inputRequired.elicitUrl(question.params)
  return inputRequired.createMessage(question.params)
}
