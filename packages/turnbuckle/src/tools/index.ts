export { agentTool } from './agent-tool.ts'
export type { AgentToolOptions, Budget } from './agent-tool-options.ts'
export { analyzeCommand } from './analyze-command.ts'
export { type AwaitedCommand, type BackgroundCommand, BackgroundCommands } from './background-commands.ts'
export { commandParts } from './command-parts.ts'
export { stripControls } from './control.ts'
export { diff } from './diff.ts'
export type { TellCaller } from './elsewhere/caller-line.ts'
export {
  runSubAgentsBy,
  type SubAgentCall,
  type SubAgentCaller,
  type SubAgentRunner,
} from './elsewhere/sub-agent-runner.ts'
export {
  type CallerWork,
  interruptForCaller,
  type NotWorkedOn,
  type WorkForCaller,
  workForCaller,
} from './elsewhere/work-for-caller.ts'
export { commandEnvironment } from './environment.ts'
export type { FetchOptions } from './fetch-url.ts'
export { loadSchemaCheck } from './load-schema-check.ts'
export { readProjectFile } from './read-project-file.ts'
export { endCommands } from './run-command.ts'
export type { SandboxOptions } from './sandbox/confine-command.ts'
export { type FoundSandbox, findSandbox, type SystemSandbox } from './sandbox/find-sandbox.ts'
export type { ShellOptions } from './shell.ts'
export type { FileOptions } from './workspace.ts'
export { workspacePlaces } from './workspace-places.ts'
export { workspacePreview } from './workspace-preview.ts'
export { type WorkspaceOptions, workspaceTools } from './workspace-tools.ts'
