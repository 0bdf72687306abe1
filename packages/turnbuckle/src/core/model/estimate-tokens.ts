import { isFile, type Message, type Part } from '../base/message.ts'

/** Counts the tokens of a message. */
export type CountTokens = (message: Message) => number

const known = new WeakMap<Message, number>()

/** A guess of four characters a token, worked out once for each message. Good enough to decide what to leave out. */
export function estimateTokens(message: Message): number {
  const found = known.get(message)
  if (found !== undefined) return found
  const tokens = countTokens(message)
  known.set(message, tokens)
  return tokens
}

/** The estimate without its memory, for callers that look at each message once. */
export const countTokens: CountTokens = ({ content }) => {
  let characters = 16
  for (const part of content) characters += sizeOf(part)
  return Math.ceil(characters / 4)
}

/** An image or a file counts as 1,500 tokens: its bytes are not its tokens. */
const fileSize = 6000

function sizeOf(part: Part): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text.length
    case 'file':
      return fileSize
    // Compacted history may be long, but only the provider knows its tokens.
    case 'custom':
      return part.kind.length
    case 'source':
      return (part.url?.length ?? 0) + (part.title?.length ?? 0)
    case 'call':
      return part.name.length + jsonLength(part.args)
    case 'result':
      return part.name.length + resultSize(part.value)
    default:
      return part satisfies never
  }
}

/** A tool may show files, alone or among other parts. */
function resultSize(value: unknown): number {
  if (isFile(value)) return fileSize
  if (!Array.isArray(value) || !value.some(isFile)) return jsonLength(value)
  return value.reduce((size: number, part) => size + (isFile(part) ? fileSize : jsonLength(part)), 0)
}

const jsonLength = (value: unknown): number =>
  typeof value === 'string' ? value.length : (JSON.stringify(value)?.length ?? 0)
