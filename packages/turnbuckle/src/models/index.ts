export { type ClaudeAgentOptions, type ClaudeAgentSdk, claudeAgent } from './claude-agent.ts'
export { type DefaultModelOptions, defaultModel } from './default-model.ts'
export { type Price, priceOf, prices } from './prices.ts'
export { checkModel, type Environment, type ResolveOptions, resolveModel } from './resolve.ts'
