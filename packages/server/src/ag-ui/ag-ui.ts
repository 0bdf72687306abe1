import type { ServerResponse } from 'node:http'
import type { Hono } from 'hono'
import { type Event, TurnbuckleError } from 'turnbuckle'
import type { NewTurn, WireEvent } from 'turnbuckle/client'
import { type ClientResult, calledByRequest } from '../clients/client-tools.ts'
import { endGivenUpTurns } from '../clients/end-given-up-turns.ts'
import type { ConversationService } from '../conversations/conversation-service.ts'
import type { OpenConversation } from '../conversations/open/open-conversation.ts'
import type { Visit } from '../http/app.ts'
import { checkInput } from '../http/check-input.ts'
import { streams } from '../http/contract.ts'
import { readBody } from '../http/read-body.ts'
import { newTurn } from '../http/wire-schemas.ts'
import { boundedStream } from '../streams/bounded-stream.ts'
import type { TurnStreaming } from '../streams/stream-turn.ts'
import { type AgUiEvent, AgUiTranslation } from './ag-ui-translation.ts'
import { newTurnOf, type Resume, type RunInput, resultsOf, resumeOf, runInput, useOf } from './run-input.ts'

/**
 * AG-UI: a thread is a conversation, a run is a turn or, with `resume` or the results of the client's own tools, the rest of one. Of the
 * history that a client sends only the last message counts: the server has the history and the approvals. A client that closes its
 * connection has aborted its run: the protocol has no other word for it (decision 0025).
 */
export function mountAgUi(app: Hono<Visit>, options: TurnStreaming): void {
  const { conversations } = options
  app.post(streams.runAgUi.path, async c => {
    const input = checkInput(runInput, await readBody(c), 'body.invalid')
    const person = c.get('person')
    const results = resultsOf(input)
    const resume = resumeOf(input)
    const isRest = Boolean(resume.length || results.length)
    const turn = isRest ? undefined : checkInput(newTurn, newTurnOf(input), 'body.invalid')
    const conversation = isRest
      ? await conversations.open(person, input.threadId, 'talk')
      : await conversations.create(person, { id: input.threadId })
    const after = conversation.log.seq
    const answers = new ClientAnswers(conversations, person, conversation, results)
    const turnId = turn
      ? await startRun(conversations, person, conversation, turn as NewTurn, input)
      : await answers.give(resume)
    const run: Run = { input, person, visitor: c.get('visitor'), conversation, turnId, after, answers, results }
    return streamRun(options, run, c.env.outgoing)
  })
}

/** Starts a turn at the head, and ends the one that runs or waits there. Gives the turn's id. */
async function startRun(
  conversations: ConversationService,
  person: string,
  conversation: OpenConversation,
  turn: NewTurn,
  input: RunInput,
): Promise<string> {
  const { view } = conversation.log
  await endGivenUpTurns(conversations, person, conversation, ({ id }) => view.tip(id) === conversation.head)
  return (await conversations.start(person, conversation.id, turn, undefined, useOf(input))).turnId
}

/** A turn, or the rest of one, that a client has asked for. */
interface Run {
  readonly input: RunInput
  readonly person: string
  readonly visitor: Visit['Variables']['visitor']
  readonly conversation: OpenConversation
  readonly turnId: string
  /** The log's sequence number when the run was asked for. */
  readonly after: number
  readonly answers: ClientAnswers
  readonly results: readonly ClientResult[]
}

/** Tells a run in AG-UI's events, until its turn is over or the client leaves. */
function streamRun(
  { access, conversations, connections, open, limit }: TurnStreaming,
  run: Run,
  outgoing: ServerResponse,
): Response {
  const { input, person, conversation, turnId, answers } = run
  let leave: () => void = () => {}
  let forget: () => void = () => {}
  const { write, end, pace, answer } = boundedStream(outgoing, limit, {
    onEnd() {
      leave()
      forget()
      open.delete(finish)
    },
    onLeft() {
      if (!isEndedHere && !translation.over && !keepsRunning(input))
        void conversations.actOnTurn(person, turnId, { type: 'interrupt', reason: 'aborted' }).catch(() => {})
    },
  })
  // The server's own end, or that of a right: no word of the client's, even where it does not read to the end.
  let isEndedHere = false
  const finish = () => {
    isEndedHere = true
    end()
  }
  open.add(finish)
  const emit = (event: AgUiEvent) => write(`data: ${JSON.stringify(event)}\n\n`)
  const translation = beginTranslation(run, emit)
  forget = connections.add({
    mayStay: () => access.isLive(run.visitor) && conversations.mayFollow(person, conversation),
    end: finish,
  })
  const tell = (event: Event | WireEvent) => {
    const ours = ('turnId' in event && event.turnId === turnId) || event.type === 'conversation.deleted'
    if (!ours || answers.answer(event as Event)) return
    if (translation.add(event)) end()
  }
  leave = conversation.follow(run.after, tell, pace)
  if (translation.over) {
    leave()
    forget()
    open.delete(finish)
  }
  return answer()
}

function beginTranslation({ input, results }: Run, emit: (event: AgUiEvent) => void): AgUiTranslation {
  const { threadId, runId, messages, protocolVersion } = input
  emit({ type: 'RUN_STARTED', threadId, runId })
  return new AgUiTranslation(emit, {
    threadId,
    runId,
    messages,
    isBrought: callId => results.some(result => result.callId === callId),
    knowsCancelled: protocolVersion !== undefined,
  })
}

/** `forwardedProps: { keepRunning: true }`: the run goes on when its client leaves. */
const keepsRunning = ({ forwardedProps }: RunInput): boolean =>
  (forwardedProps as { readonly keepRunning?: unknown } | null | undefined)?.keepRunning === true

/** What a run brings for a turn that waits: answers to interrupts, and results of the client's own tools. */
class ClientAnswers {
  readonly #conversations: ConversationService
  readonly #person: string
  readonly #conversation: OpenConversation
  readonly #results: Map<string, ClientResult>

  constructor(
    conversations: ConversationService,
    person: string,
    conversation: OpenConversation,
    results: readonly ClientResult[],
  ) {
    this.#conversations = conversations
    this.#person = person
    this.#conversation = conversation
    this.#results = new Map(results.map(result => [result.callId, result]))
  }

  /** Gives the id of the turn that goes on. */
  async give(resume: Resume): Promise<string> {
    if (resume.length) return answerInterrupts(this.#conversations, this.#person, this.#conversation, resume)
    let turnId: string | undefined
    for (const { id, turnId: of, ...request } of this.#conversation.log.view.requests)
      if (await this.#answer(id, calledByRequest(request))) turnId ??= of
    if (turnId === undefined) throw new TurnbuckleError('request.expired', 'No call waits for that result any more.')
    return turnId
  }
  /** True for a request that is opened later for a call whose result is here already. */
  answer(event: Event): boolean {
    if (event.type !== 'request.opened') return false
    const callId = calledByRequest(event)
    if (callId === undefined || !this.#results.has(callId)) return false
    void this.#answer(event.requestId, callId).catch(() => {})
    return true
  }
  async #answer(requestId: string, callId: string | undefined): Promise<boolean> {
    const result = callId === undefined ? undefined : this.#results.get(callId)
    if (!result) return false
    const { status, value } = result
    await this.#conversations.requests.answer(this.#person, requestId, { status, value })
    return true
  }
}

/** Answers the requests of the run before. Gives the id of the turn that goes on. */
async function answerInterrupts(
  conversations: ConversationService,
  person: string,
  conversation: OpenConversation,
  resume: Resume,
): Promise<string> {
  let turnId: string | undefined
  for (const { interruptId, status, payload } of resume) {
    const of = await conversations.requests.conversationOf(person, interruptId)
    if (of !== conversation) throw new TurnbuckleError('request.foreign', 'That question belongs to another thread.')
    const asked = conversation.requests.open(interruptId)
    turnId ??= asked?.turnId
    if (status === 'cancelled' && asked?.kind !== 'permission')
      await conversations.actOnTurn(person, asked?.turnId ?? '', { type: 'interrupt', reason: 'cancelled' })
    else {
      const answer = status === 'cancelled' ? { decision: 'deny', reason: 'Cancelled.' } : decision(payload)
      await conversations.requests.answer(person, interruptId, answer)
    }
  }
  if (turnId === undefined) throw new TurnbuckleError('request.expired', 'Nothing waits for that answer any more.')
  return turnId
}

/** `true` and `{ approved: true }` are how AG-UI apps say yes. Further fields are an answer's own, and checked as such. */
function decision(payload: unknown): unknown {
  const { approved = payload, ...others } = (payload ?? {}) as { approved?: unknown }
  if (typeof approved !== 'boolean' || 'decision' in others) return payload
  return { ...others, decision: approved ? 'allow' : 'deny' }
}
