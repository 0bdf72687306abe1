export { type LangChainTool, langChainTools } from './tools/langchain-tools.ts'
