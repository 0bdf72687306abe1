import type { UIMessageChunk as AiChunk, UIMessage as AiMessage } from 'ai'
import type { SentUIMessage, UIMessageChunk } from 'turnbuckle/ai-sdk'
import { expectTypeOf, test } from 'vitest'

test('a chunk is one of the AI SDK, and a message of the AI SDK can be sent', () => {
  expectTypeOf<UIMessageChunk>().toExtend<AiChunk>()
  expectTypeOf<AiMessage>().toExtend<SentUIMessage>()
})
