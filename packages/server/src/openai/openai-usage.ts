import type { Usage } from 'turnbuckle'

/** The usage of a turn in the words of chat completions. */
export const completionUsage = (usage: Usage): object => ({
  prompt_tokens: usage.inputTokens,
  completion_tokens: usage.outputTokens,
  total_tokens: usage.inputTokens + usage.outputTokens,
  prompt_tokens_details: { cached_tokens: usage.cachedInputTokens ?? 0 },
  completion_tokens_details: { reasoning_tokens: usage.reasoningTokens ?? 0 },
})

/** The usage of a turn in the words of responses. */
export const responseUsage = (usage: Usage): object => ({
  input_tokens: usage.inputTokens,
  output_tokens: usage.outputTokens,
  total_tokens: usage.inputTokens + usage.outputTokens,
  input_tokens_details: { cached_tokens: usage.cachedInputTokens ?? 0 },
  output_tokens_details: { reasoning_tokens: usage.reasoningTokens ?? 0 },
})
