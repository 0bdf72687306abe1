import type { LogRecord } from '../../core/durable/log-port.ts'

/** A record of text of a reply that grows, as far as it was shown: after a crash the text is found there. */
interface PartialReply extends LogRecord {
  readonly type: 'note.sketch'
  readonly body: { readonly messageId: string; readonly text: string; readonly reasoning: boolean }
}

export const isPartialReply = (record: LogRecord): record is PartialReply => record.type === 'note.sketch'

/** Adds the text to a record of the same reply that waits for a commit: the log gets no record per delta. */
export function growPartialReply(
  waiting: LogRecord[],
  { body: { messageId, text, reasoning } }: PartialReply,
): boolean {
  const place = waiting.findLastIndex(
    record => isPartialReply(record) && record.body.messageId === messageId && record.body.reasoning === reasoning,
  )
  const known = waiting[place]
  if (!known || !isPartialReply(known)) return false
  waiting[place] = { ...known, body: { ...known.body, text: known.body.text + text } }
  return true
}

/** Records without those of a reply that is recorded or withdrawn now: nobody needs its beginning any more. */
export const withoutPartialReply = (waiting: readonly LogRecord[], messageId: unknown): LogRecord[] =>
  waiting.filter(record => !isPartialReply(record) || record.body.messageId !== messageId)
