import type { LanguageModelV2, LanguageModelV3 } from '@ai-sdk/provider'
import type { LanguageModelV4 } from 'ai-sdk-provider-v4'
import type { createAgent, Model } from 'turnbuckle'
import { aiSdk, type ProviderModel } from 'turnbuckle/ai-sdk'
import { expectTypeOf, test } from 'vitest'

test('the language models of every spec are provider models', () => {
  expectTypeOf<LanguageModelV2>().toExtend<ProviderModel>()
  expectTypeOf<LanguageModelV3>().toExtend<ProviderModel>()
  expectTypeOf<LanguageModelV4>().toExtend<ProviderModel>()
  expectTypeOf<{ modelId: string }>().not.toExtend<ProviderModel>()
})

test('an agent takes a model or its name', () => {
  expectTypeOf(aiSdk).returns.toEqualTypeOf<Model>()
  expectTypeOf<Parameters<typeof createAgent>[0]['model']>().toEqualTypeOf<Model | string>()
})
