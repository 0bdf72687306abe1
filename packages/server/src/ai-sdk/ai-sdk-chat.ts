import type { Hono } from 'hono'
import { TurnbuckleError } from 'turnbuckle'
import { approvalsOf, type SentUIMessage, toolOutputsOf, toUIMessages } from 'turnbuckle/ai-sdk'
import type { WireTurn } from 'turnbuckle/client'
import { isTurnbuckleError } from '../base/is-turnbuckle-error.ts'
import { wireJson } from '../base/wire-json.ts'
import { calledByRequest } from '../clients/client-tools.ts'
import { interruptTurn } from '../clients/end-given-up-turns.ts'
import type { ConversationService } from '../conversations/conversation-service.ts'
import type { OpenConversation } from '../conversations/open/open-conversation.ts'
import type { Visit } from '../http/app.ts'
import { checkInput } from '../http/check-input.ts'
import { chatRoutes } from '../http/client-routes.ts'
import { readBody } from '../http/read-body.ts'
import { type StreamedTurn, streamTurn, type TurnStreaming } from '../streams/stream-turn.ts'
import { chatTurn, messagesOf, startChatTurn } from './start-chat-turn.ts'
import { toldTurn } from './told-turn.ts'

/**
 * The AI SDK's `useChat`: a chat is a conversation, an answer is a turn and has its id. Of the history that a client sends only the
 * place counts: the server has the messages. A client that leaves stops nothing; it comes back with the stream of the chat.
 */
export function mountAiSdkChat(app: Hono<Visit>, streaming: TurnStreaming): void {
  const { conversations } = streaming
  app.post(chatRoutes.chat.path, async c => {
    const chat = checkInput(chatRoutes.chat.body, await readBody(c), 'body.invalid')
    const person = c.get('person')
    const messages = messagesOf(chat)
    const goesOn = messages.at(-1)?.role === 'assistant'
    const checkNew = () => void (goesOn ? answersOf(messages.at(-1)) : chatTurn(chat))
    const conversation = await conversations.create(person, { id: chat.id, checkNew })
    if (goesOn) return streamTurn(c, streaming, await goOn(conversations, person, conversation, messages))
    const turnId = await startChatTurn(conversations, person, conversation, chat)
    return streamTurn(c, streaming, toldTurn(conversation, turnId))
  })
  app.get(chatRoutes.resumeChat.path, async c => {
    const conversation = await conversations.open(c.get('person'), c.req.param('id'), 'readConversation')
    const turn = runningTurn(conversation)
    return turn ? streamTurn(c, streaming, toldTurn(conversation, turn.id)) : c.body(null, 204)
  })
  app.get(chatRoutes.readChat.path, async c => {
    const { id, title, head, nodes, requests } = await conversations.view(c.get('person'), c.req.param('id'))
    const body = wireJson({ id, title, messages: toUIMessages({ head, tree: nodes, requests }) })
    return c.body(body, 200, { 'content-type': 'application/json; charset=utf-8' })
  })
  app.post(chatRoutes.stopChat.path, async c => {
    const person = c.get('person')
    const conversation = await conversations.open(person, c.req.param('id'), 'talk')
    const turn = runningTurn(conversation)
    const stopped = turn ? await interruptTurn(conversations, person, turn.id) : false
    return c.json({ stopped })
  })
}

/** The turn that a client of the chat sees running: the last that began. */
const runningTurn = (conversation: OpenConversation): WireTurn | undefined =>
  conversation.log.view.turns.findLast(({ status }) => status === 'running')

/** Results of calls that wait for the client; those that the server has run itself are its own. */
const resultsFor = (conversation: OpenConversation | undefined, outputs: ReturnType<typeof toolOutputsOf>) =>
  (conversation?.log.view.requests ?? []).flatMap(request => {
    const output = outputs.find(({ callId }) => callId === calledByRequest(request))
    return output ? [{ requestId: request.id, answer: { status: output.status, value: output.value } }] : []
  })

/** The decisions and results that a message brings for a turn that waits. Throws where no turn could: without a conversation always. */
function answersOf(last: SentUIMessage | undefined, conversation?: OpenConversation) {
  const answers = [...approvalsOf(last), ...resultsFor(conversation, toolOutputsOf(last))]
  if (!last || !answers.length)
    throw new TurnbuckleError(
      'body.invalid',
      'The last message must be a person’s, or hold a decision on a call or the result of one that waits for it.',
    )
  if (!conversation?.log.view.turn(last.id))
    throw new TurnbuckleError('message.missing', `There is no answer "${last.id}" here.`)
  return { turnId: last.id, answers }
}

/** Gives the turn the decisions and results that it waits for. The stream goes on behind the last request that the client has seen. */
async function goOn(
  conversations: ConversationService,
  person: string,
  conversation: OpenConversation,
  messages: readonly SentUIMessage[],
): Promise<StreamedTurn> {
  const { turnId, answers } = answersOf(messages.at(-1), conversation)
  for (const { requestId, answer } of answers) {
    const of = await conversations.requests.conversationOf(person, requestId)
    if (of !== conversation) throw new TurnbuckleError('request.foreign', 'That question belongs to another chat.')
    try {
      await conversations.requests.answer(person, requestId, answer)
    } catch (error) {
      // A decision that came too late changes nothing: the stream tells which one counts.
      if (!isTurnbuckleError(error) || !/^request\.(answered|expired)$/.test(error.code)) throw error
    }
  }
  return toldTurn(conversation, turnId, new Set(answers.map(({ requestId }) => requestId)))
}
