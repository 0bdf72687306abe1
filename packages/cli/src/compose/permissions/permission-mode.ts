import { isAbsolute } from 'node:path'
import type { ApprovalOptions, ApprovalQuestion } from 'turnbuckle/middleware'
import { workspacePlaces } from 'turnbuckle/tools'

export const permissionModes = ['ask', 'accept edits', 'plan'] as const
export type PermissionMode = (typeof permissionModes)[number]

/** How calls are decided on in a chat. Shift-Tab goes round. */
export interface ModeSwitch {
  current: PermissionMode
  /** For `approval`: edits of files in the project are allowed in the mode `accept edits`. Everything else is asked. */
  readonly answers: NonNullable<ApprovalOptions['answers']>
  /** True for a permission request that the mode answers, so that nobody is shown it. */
  accepts(payload: unknown): boolean
}

/** Files that change what runs on this machine later: those are always asked about. Some systems take `.GIT` for `.git`. */
const runsLater =
  /(^|[\\/])(\.git|\.turnbuckle|\.claude|\.husky|\.vscode|\.idea|\.devcontainer|node_modules)([\\/]|$)|(^|[\\/])(turnbuckle\.config\.\w+|\.env[^\\/]*|\.(npm|yarn)rc[^\\/]*|\.gitmodules|\.mcp\.json|AGENTS\.md|CLAUDE(\.local)?\.md)$/i

/** `root`: the folder of the project, in which a link may lead to such a file by another name. */
export function permissionMode(root: string): ModeSwitch {
  const places = workspacePlaces({ root })
  const isEdit = ({ name = '', args }: Partial<ApprovalQuestion>): boolean => {
    const { path } = (args ?? {}) as { path?: unknown }
    if ((name !== 'write_file' && name !== 'edit_file') || typeof path !== 'string') return false
    // Where the project itself lies, in `node_modules` say, is no matter; what lies outside of it is no edit of the project.
    const inProject = [path, ...places({ name, args })].filter(one => !isAbsolute(one))
    return !inProject.some(one => one.startsWith('../') || runsLater.test(one))
  }
  const mode: ModeSwitch = {
    current: 'ask',
    answers: question =>
      mode.accepts(question) ? { decision: 'allow', scope: 'once', by: 'accept edits' } : undefined,
    accepts: payload => mode.current === 'accept edits' && isEdit((payload ?? {}) as Partial<ApprovalQuestion>),
  }
  return mode
}

/** The mode that Shift-Tab goes to. */
export const nextMode = (mode: PermissionMode): PermissionMode =>
  permissionModes[(permissionModes.indexOf(mode) + 1) % permissionModes.length] ?? 'ask'
