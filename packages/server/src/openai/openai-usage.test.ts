import { expect, test } from 'vitest'
import { completionUsage, responseUsage } from './openai-usage.ts'

const usage = { inputTokens: 10, outputTokens: 3, cachedInputTokens: 4 }

test('usage is told in the words of each interface, with what the provider did not tell as 0', () => {
  expect(completionUsage(usage)).toEqual({
    prompt_tokens: 10,
    completion_tokens: 3,
    total_tokens: 13,
    prompt_tokens_details: { cached_tokens: 4 },
    completion_tokens_details: { reasoning_tokens: 0 },
  })
  expect(responseUsage({ ...usage, reasoningTokens: 2 })).toEqual({
    input_tokens: 10,
    output_tokens: 3,
    total_tokens: 13,
    input_tokens_details: { cached_tokens: 4 },
    output_tokens_details: { reasoning_tokens: 2 },
  })
})
