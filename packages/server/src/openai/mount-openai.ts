import type { Context, Hono } from 'hono'
import { type Agent, type Event, TurnbuckleError } from 'turnbuckle'
import type { WireEvent } from 'turnbuckle/client'
import type { Visit } from '../http/app.ts'
import { checkInput } from '../http/check-input.ts'
import { openAiRoutes } from '../http/client-routes.ts'
import { readBody } from '../http/read-body.ts'
import { streamTurn, type TurnStreaming } from '../streams/stream-turn.ts'
import { AgentResponse } from './agent-response.ts'
import { type AnswerForm, type AnswerNames, failure, type TurnEnd } from './answer-form.ts'
import { ChatCompletion } from './chat-completion.ts'
import { denyRequest } from './deny-request.ts'
import { givenInput, type SentItem } from './given-input.ts'
import { KnownHistories } from './known-histories.ts'
import { type StartedAnswer, startAgentTurn } from './start-agent-turn.ts'

/** OpenAI's chat completions and responses in front of the agent. A client that leaves stops its turn: it cannot come back to it. */
export function mountOpenAi(app: Hono<Visit>, streaming: TurnStreaming, agent: Agent): void {
  const turns = { conversations: streaming.conversations, histories: new KnownHistories() }
  const model = agent.name
  const namesOf = ({ turnId, conversation }: StartedAnswer): AnswerNames => ({
    id: turnId,
    model,
    created: Math.floor(Date.now() / 1000),
    conversationId: conversation.id,
  })
  const answer = (c: Context<Visit>, started: StartedAnswer, form: AnswerForm, isStream: boolean) =>
    isStream ? streamAnswer(c, streaming, started, form) : wholeAnswer(c, streaming, started, form)

  app.post(openAiRoutes.completeChat.path, async c => {
    const body = checkInput(openAiRoutes.completeChat.body, await readBody(c), 'body.invalid')
    const input = givenInput(body.messages as SentItem[])
    const started = await startAgentTurn(turns, { person: c.get('person'), input, isKept: body.store !== false })
    const includeUsage = body.stream_options?.include_usage === true
    return answer(c, started, new ChatCompletion(namesOf(started), { includeUsage }), body.stream === true)
  })
  app.post(openAiRoutes.makeResponse.path, async c => {
    const body = checkInput(openAiRoutes.makeResponse.body, await readBody(c), 'body.invalid')
    const { input, instructions = null, previous_response_id: previousId = null, conversation, store } = body
    const items: SentItem[] = typeof input === 'string' ? [{ role: 'user', content: input }] : (input as SentItem[])
    const given = givenInput(instructions ? [{ role: 'system', content: instructions }, ...items] : items)
    const conversationId = typeof conversation === 'string' ? conversation : conversation?.id
    const asked = { person: c.get('person'), input: given, isKept: store !== false, previousId, conversationId }
    const started = await startAgentTurn(turns, asked)
    const repeated = { instructions, previous_response_id: previousId, store: store !== false }
    return answer(c, started, new AgentResponse(namesOf(started), repeated), body.stream === true)
  })
  app.get(openAiRoutes.listOpenAiModels.path, c =>
    c.json({ object: 'list', data: [{ id: model, object: 'model', created: 0, owned_by: 'turnbuckle' }] }),
  )
}

const afterOf = ({ conversation, turnId }: StartedAnswer): number => (conversation.log.view.turn(turnId)?.seq ?? 1) - 1

const interrupt = ({ conversation, turnId }: StartedAnswer): void =>
  conversation.turn(turnId)?.interrupt('The client has left.')

function streamAnswer(c: Context<Visit>, streaming: TurnStreaming, started: StartedAnswer, form: AnswerForm): Response {
  const { conversation, turnId } = started
  const tell = (event: Event, write: (text: string) => void) => {
    const tellAll = (list: readonly object[]) => {
      for (const data of list) write(form.line(data))
    }
    if (event.type === 'turn.started') tellAll(form.begin())
    tellAll(form.add(event))
    denyRequest(conversation, event)
    if (!('outcome' in event)) return false
    tellAll(form.end(event as TurnEnd))
    if (form.lastLine) write(form.lastLine)
    void started.settle(form.text(true)).catch(() => {})
    return true
  }
  return streamTurn(c, streaming, {
    conversation,
    turnId,
    after: afterOf(started),
    tell,
    onGone: () => interrupt(started),
  })
}

async function wholeAnswer(
  c: Context<Visit>,
  streaming: TurnStreaming,
  started: StartedAnswer,
  form: AnswerForm,
): Promise<Response> {
  const leave = () => {
    if (!c.env.outgoing.writableEnded) interrupt(started)
  }
  c.env.outgoing.once('close', leave)
  const end = await followToEnd(c, streaming, started, form)
  await started.settle(form.text(false))
  if (end.outcome !== 'failed') return c.json(form.whole(end))
  const { code, message } = failure(end)
  throw new TurnbuckleError(code, message)
}

/** Rejects where the person may not follow the conversation any more: the answer is not theirs to have. */
function followToEnd(
  c: Context<Visit>,
  { access, conversations, connections }: TurnStreaming,
  started: StartedAnswer,
  form: AnswerForm,
): Promise<TurnEnd> {
  const { conversation, turnId } = started
  const { person, visitor } = c.var
  const stop: (() => void)[] = []
  const end = new Promise<TurnEnd>((resolve, reject) => {
    const lose = () => {
      interrupt(started)
      reject(lostRight(access.isLive(visitor)))
    }
    const mayStay = () => access.isLive(visitor) && conversations.mayFollow(person, conversation)
    stop.push(connections.add({ mayStay, end: lose }))
    const tell = (event: Event | WireEvent) => {
      if (event.type === 'conversation.deleted')
        reject(new TurnbuckleError('conversation.deleted', 'The conversation was deleted.'))
      if (!('turnId' in event) || event.turnId !== turnId) return
      form.add(event as Event)
      denyRequest(conversation, event as Event)
      if (!('outcome' in event)) return
      if (mayStay()) resolve(event as TurnEnd)
      else lose()
    }
    stop.push(conversation.follow(afterOf(started), tell))
  })
  return end.finally(() => {
    for (const one of stop) one()
  })
}

const lostRight = (isLive: boolean): TurnbuckleError =>
  isLive
    ? new TurnbuckleError('conversation.missing', 'The conversation is not shared with you any more.')
    : new TurnbuckleError('token.invalid', 'The token was revoked or has expired.')
