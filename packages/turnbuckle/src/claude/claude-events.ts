/** Events of Claude Code's hooks that have a counterpart in a turn, with the point where each runs here. */
export const claudeEvents = {
  SessionStart: 'beforeTurn of the first turn of a conversation in this process',
  UserPromptSubmit: 'beforeTurn',
  PreToolUse: 'beforeTool, before the guards',
  PermissionRequest: 'when a permission is asked of a person, through `answers`',
  PostToolUse: 'afterTool of a call that went well',
  PostToolUseFailure: 'afterTool of a call that ran and failed',
  PostToolBatch: 'afterTools',
  Notification: 'when a person is asked something',
  SubagentStart: 'beforeTurn of a sub-agent',
  SubagentStop: 'afterDecide of a sub-agent, where no step follows',
  Stop: 'afterDecide, where no step follows',
  StopFailure: 'afterTurn of a turn that failed',
  SessionEnd: '`endSession`, which the programs call as they close',
} as const

/** The name of an event that has a counterpart here. */
export type ClaudeEvent = keyof typeof claudeEvents

/** Events of Claude Code that nothing here corresponds to, with the reason. Their hooks are read, and never run. */
export const eventsWithoutCounterpart: Readonly<Record<string, string>> = {
  Setup: 'there is no --init',
  UserPromptExpansion: 'a command is sent as the prompt that it becomes: UserPromptSubmit sees it',
  PermissionDenied: 'there is no auto mode that denies',
  MessageDisplay: 'what is shown is what is recorded; onChunk changes both',
  TaskCreated: 'there are no tasks beside the turn',
  TaskCompleted: 'there are no tasks beside the turn',
  TeammateIdle: 'there are no teams',
  InstructionsLoaded: 'instructions are read for every turn',
  ConfigChange: 'settings are read when the program starts',
  CwdChanged: 'the working directory does not change',
  DirectoryAdded: 'the working directory does not change',
  FileChanged: 'files are not watched',
  WorktreeCreate: 'there are no worktrees',
  WorktreeRemove: 'there are no worktrees',
  PreCompact: 'histories are shortened for a model call, the recorded one stays',
  PostCompact: 'histories are shortened for a model call, the recorded one stays',
  PreModelSwitch: 'models are switched outside of turns',
  PostModelSwitch: 'models are switched outside of turns',
  Elicitation: 'questions of MCP servers go to a person',
  ElicitationResult: 'questions of MCP servers go to a person',
}

/** Events whose matcher is compared with a tool's name, and whose handlers may have an `if`. */
export const toolEvents: ReadonlySet<ClaudeEvent> = new Set([
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'PostToolUseFailure',
])
