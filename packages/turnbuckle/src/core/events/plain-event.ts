import { jsonSafe } from '../base/json-safe.ts'
import type { TellableEvent } from './news.ts'
import { unsetFields } from './unset-fields.ts'

/** Events that the loop makes of messages, results and numbers: plain data already, and many. */
const plain =
  /^(turn|message|interjection|history|head)\.|^(title\.changed|usage|usage\.call|hook\.failed|middleware\.changed)$|^tool\.(pending|completed|failed|late)$/

/**
 * An event as the log keeps it, so that who hears it live and who reads it later are told the same: values that hooks, tools
 * and people have put into it become plain data.
 */
export const plainEvent = (event: TellableEvent): TellableEvent =>
  plain.test(event.type) ? event : { ...unsetFields(event.type), ...jsonSafe(event) }
