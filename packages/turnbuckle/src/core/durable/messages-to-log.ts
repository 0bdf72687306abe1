import type { Message } from '../base/message.ts'

/** A stretch of the path: the index of its first message, and of the first behind it. */
type Stretch = readonly [from: number, to: number]

/** Messages of a prompt as a checkpoint keeps them: stretches of the path, and messages that are not on it. */
export type LoggedMessages = readonly (Stretch | Message)[]

/**
 * The path is in the log already: a prompt of any length costs as much as hooks have changed in it. Undefined where the
 * messages are the path and nothing else.
 */
export function messagesToLog(messages: readonly Message[], path: readonly Message[]): LoggedMessages | undefined {
  const places = new Map(path.map((message, i) => [message, i]))
  const logged: (Stretch | Message)[] = []
  for (let i = 0; i < messages.length; ) {
    const message = messages[i] as Message
    const from = places.get(message)
    const length = from === undefined ? 0 : commonLength(messages, i, path, from)
    logged.push(from === undefined ? message : [from, from + length])
    i += length || 1
  }
  return isWhole(logged, path.length) ? undefined : logged
}

/** Number of messages that follow alike, from one place in each list. */
function commonLength(messages: readonly Message[], at: number, path: readonly Message[], from: number): number {
  let length = 0
  while (from + length < path.length && messages[at + length] === path[from + length]) length++
  return length
}

const isWhole = ([first, ...rest]: LoggedMessages, length: number): boolean =>
  first !== undefined && !rest.length && isStretch(first) && first[0] === 0 && first[1] === length

/** The messages that `messagesToLog` was given. `path`: the same path, as the log has it. */
export const messagesFromLog = (logged: LoggedMessages, path: readonly Message[]): Message[] =>
  logged.flatMap(item => (isStretch(item) ? path.slice(...item) : [item]))

const isStretch = (item: Stretch | Message): item is Stretch => Array.isArray(item)
