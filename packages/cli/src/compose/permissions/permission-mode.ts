import type { ApprovalOptions, ApprovalQuestion } from 'turnbuckle/middleware'

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

/** Files that change what runs on this machine later: those are always asked about. */
const runsLater =
  /(^|[\\/])(\.git|\.turnbuckle|\.claude|\.husky|node_modules)([\\/]|$)|(^|[\\/])(turnbuckle\.config\.\w+|\.env[^\\/]*|\.mcp\.json|AGENTS\.md|CLAUDE(\.local)?\.md)$/

export function permissionMode(): ModeSwitch {
  const mode: ModeSwitch = {
    current: 'ask',
    answers: question =>
      mode.accepts(question) ? { decision: 'allow', scope: 'once', by: 'accept edits' } : undefined,
    accepts: payload => mode.current === 'accept edits' && isEdit((payload ?? {}) as Partial<ApprovalQuestion>),
  }
  return mode
}

function isEdit({ name, args }: Partial<ApprovalQuestion>): boolean {
  const { path } = (args ?? {}) as { path?: unknown }
  return (name === 'write_file' || name === 'edit_file') && typeof path === 'string' && !runsLater.test(path)
}

/** The mode that Shift-Tab goes to. */
export const nextMode = (mode: PermissionMode): PermissionMode =>
  permissionModes[(permissionModes.indexOf(mode) + 1) % permissionModes.length] ?? 'ask'
