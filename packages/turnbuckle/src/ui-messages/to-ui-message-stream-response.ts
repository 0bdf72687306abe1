import type { Event } from '../core/events/events.ts'
import type { Turn } from '../core/types/turn.ts'
import { approvalsOf, type SentUIMessage } from './from-ui-message.ts'
import type { UIMessageChunk } from './ui-message-chunk.ts'
import { UIMessageTranslator } from './ui-message-translator.ts'

/** The options of `toUIMessageStream`. */
export interface UIMessageStreamOptions {
  /**
   * The messages that the client has sent. Where the last is this turn's answer with decisions on calls, the turn is given them, and the
   * stream goes on behind what the client has.
   */
  readonly messages?: readonly SentUIMessage[] | undefined
}

/** The options of `toUIMessageStreamResponse`. */
export interface UIMessageStreamResponseOptions extends UIMessageStreamOptions {
  /** Further headers of the response. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** The headers of a UI message stream. */
export const uiMessageStreamHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  'x-vercel-ai-ui-message-stream': 'v1',
}

/**
 * A turn as the AI SDK's UI message stream, from its first event on. Ends where the turn ends, or waits for an approval: the
 * client sends that in a request of its own. Not reading it further does not stop the turn.
 */
export async function* toUIMessageStream(
  turn: Turn,
  { messages = [] }: UIMessageStreamOptions = {},
): AsyncGenerator<UIMessageChunk> {
  const approvals = approvalsOf(messages.at(-1))
  const told = new Set(approvals.map(({ requestId }) => requestId))
  for (const { requestId, answer } of approvals) await answerOnce(turn, requestId, answer)
  const isOpen = (requestId: string) => turn.requests.some(({ id }) => id === requestId)
  const translator = new UIMessageTranslator({ messageId: turn.id, isOpen })
  if (told.size) yield translator.start
  for await (const event of turn) {
    const isNews = told.size === 0
    const chunks = translator.add(event)
    if (isNews) yield* chunks
    noteRequest(event, told)
    if (translator.isOver) return
  }
}

/** A request that the client has seen is opened: after the last of them comes the news. */
function noteRequest(event: Event, told: Set<string>): void {
  if (event.type === 'request.opened') told.delete(event.requestId)
  // An answer that waits for a request of another turn would wait for ever.
  else if ('outcome' in event) told.clear()
}

/** A decision that came too late, or twice, changes nothing: the stream tells what counts. */
async function answerOnce(turn: Turn, requestId: string, answer: unknown): Promise<void> {
  try {
    await turn.answer(requestId, answer)
  } catch (error) {
    if (!/^(request\.(answered|expired|unknown)|turn\.ended)$/.test(String((error as { code?: unknown }).code)))
      throw error
  }
}

/**
 * A turn as a response that `useChat` reads, for a route of your own.
 *
 * ```ts
 * return toUIMessageStreamResponse(agent.send('Umbrella in Oslo?'))
 * ```
 */
export function toUIMessageStreamResponse(turn: Turn, options: UIMessageStreamResponseOptions = {}): Response {
  const chunks = toUIMessageStream(turn, options)
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next()
      controller.enqueue(encoder.encode(done ? uiMessageStreamEnd : uiMessageLine(value)))
      if (done) controller.close()
    },
    async cancel() {
      await chunks.return(undefined)
    },
  })
  return new Response(body, { headers: { ...uiMessageStreamHeaders, ...options.headers } })
}

/** A chunk as it stands in the stream. */
export const uiMessageLine = (chunk: UIMessageChunk): string => `data: ${JSON.stringify(chunk)}\n\n`
/** The end of the stream. */
export const uiMessageStreamEnd = 'data: [DONE]\n\n'
