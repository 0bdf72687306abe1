export { type AiSdkOptions, aiSdk, type CallParams, type ProviderTool } from './models/ai-sdk.ts'
export type { Price } from './models/prices.ts'
export type { ProviderError } from './models/provider-error.ts'
export type { ProviderModel } from './models/provider-spec.ts'
