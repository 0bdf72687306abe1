import type { LiveMessage, Part, Usage, WireModel, WireNode } from 'turnbuckle/client'

type Price = NonNullable<WireModel['price']>

const charactersPerToken = 4
/** Tokens of a file: its bytes are not its tokens. */
const tokensOfFile = 1500

/**
 * An estimate of the model call that writes a reply behind `path`: what the call before it used, and four characters a token of what was
 * said since and is written now. Without a price there is no cost.
 */
export function usageSoFar(path: readonly WireNode[], written: LiveMessage, price: Price | undefined): Usage {
  const at = path.findLastIndex(isCounted)
  const last = path[at]?.usage
  const since = path.slice(at + 1).flatMap(({ message }) => message.content.map(tokensOfPart))
  const inputTokens = since.reduce((sum, tokens) => sum + tokens, last ? last.inputTokens + last.outputTokens : 0)
  const outputTokens = tokensOf(written.text + written.reasoning + written.calls.map(({ text }) => text).join(''))
  const usage = { inputTokens, outputTokens, estimated: true }
  if (!price || (price.upTo !== undefined && inputTokens > price.upTo)) return { ...usage, unknownCalls: 1 }
  // A provider that read the last prompt from its cache reads this one's beginning from there too.
  const fromCache = last?.cachedInputTokens ? last.inputTokens : 0
  const { input, output, cacheRead = input } = price
  const cost = ((inputTokens - fromCache) * input + fromCache * cacheRead + outputTokens * output) / 1_000_000
  return { ...usage, cost }
}

/** The model has told what a call with these instructions and tools uses: without that an estimate is too low. */
export const isCounted = ({ usage }: WireNode): boolean => usage !== undefined && usage.inputTokens > 0

const tokensOf = (text: string): number => Math.ceil(text.length / charactersPerToken)
const tokensOfPart = (part: Part): number => (part.type === 'file' ? tokensOfFile : tokensOf(JSON.stringify(part)))
