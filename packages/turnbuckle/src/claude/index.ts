export { type ClaudeAgentsOptions, claudeAgents } from './claude-agents.ts'
export { type ClaudeCommand, claudeCommands, fillClaudeCommand } from './claude-commands.ts'
export { type ClaudeEvent, claudeEvents, eventsWithoutCounterpart } from './claude-events.ts'
export { type ClaudeFolders, claudeHome } from './claude-folders.ts'
export { type ClaudeHooks, type ClaudeHooksOptions, claudeHooks } from './claude-hooks.ts'
export { claudeInstructionFiles, readClaudeInstructions } from './claude-instructions.ts'
export { type ClaudeMcpServer, claudeMcpServers, fillMcpVariables } from './claude-mcp-servers.ts'
export { claudeSkills } from './claude-skills.ts'
export type {
  AgentHandler,
  CommandHandler,
  HookHandler,
  HttpHandler,
  MatchedHandler,
  McpToolHandler,
  PromptHandler,
} from './hook-handler.ts'
export { hookScripts, type ScriptFile } from './hook-scripts.ts'
export type { ClaudeHookSource } from './hook-source.ts'
export { type ClaudeAgentFile, readClaudeAgents } from './read-claude-agents.ts'
export { readClaudeHooks } from './read-claude-hooks.ts'
export type { CallMcpTool } from './run-hook-tool.ts'
