import { homedir } from 'node:os'
import { join } from 'node:path'

/** The folders that Claude Code's files are read from. */
export interface ClaudeFolders {
  /** The project. The working directory by default. */
  readonly root?: string
  /** The user's own folder. `CLAUDE_CONFIG_DIR`, or else `~/.claude`; `false` reads nothing of the user. */
  readonly home?: string | false
  /** Folders of further plugins. */
  readonly plugins?: readonly string[]
}

/** The user's folder of Claude Code. */
export const claudeHome = (env: NodeJS.ProcessEnv = process.env): string =>
  env.CLAUDE_CONFIG_DIR || join(homedir(), '.claude')
