import type { Event } from 'turnbuckle'
import { UIMessageTranslator, uiMessageLine, uiMessageStreamEnd, uiMessageStreamHeaders } from 'turnbuckle/ai-sdk'
import { wireJson } from '../base/wire-json.ts'
import type { OpenConversation } from '../conversations/open/open-conversation.ts'
import type { StreamedTurn } from '../streams/stream-turn.ts'

/** A turn from its first event. `seen`: requests that the client has seen; all up to the last of them is not told again. */
export function toldTurn(conversation: OpenConversation, turnId: string, seen: Set<string> = new Set()): StreamedTurn {
  const isOpen = (requestId: string) => conversation.requests.open(requestId) !== undefined
  const translator = new UIMessageTranslator({ messageId: turnId, isOpen })
  let isTold = false
  const tell = (event: Event, write: (text: string) => void) => {
    if (!isTold && seen.size === 0 && event.type !== 'turn.started') write(uiMessageLine(translator.start))
    isTold ||= seen.size === 0
    const chunks = translator.add(event)
    if (isTold) for (const chunk of chunks) write(`data: ${wireJson(chunk)}\n\n`)
    if (event.type === 'request.opened') seen.delete(event.requestId)
    if (translator.isOver) write(uiMessageStreamEnd)
    return translator.isOver
  }
  const after = (conversation.log.view.turn(turnId)?.seq ?? 1) - 1
  return { conversation, turnId, after, headers: uiMessageStreamHeaders, tell }
}
