export { type AgentToolOptions, agentTool, type Budget } from './agent-tool.ts'
