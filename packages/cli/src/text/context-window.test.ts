import { expect, test } from 'vitest'
import { contextWindow } from './context-window.ts'

test.each([
  { model: 'anthropic/claude-sonnet-4-5', tokens: 200_000 },
  { model: 'openai/gpt-4.1-mini', tokens: 1_047_576 },
  { model: 'compatible/openai/gpt-4o', tokens: 128_000 },
  { model: 'ollama/llama3', tokens: undefined },
  { model: 'offline', tokens: undefined },
])('$model holds $tokens tokens', ({ model, tokens }) => {
  expect(contextWindow(model)).toBe(tokens)
})
