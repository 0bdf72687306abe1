import { join } from 'node:path'
import type { Middleware } from 'turnbuckle'
import type { ModelParams } from 'turnbuckle/client'
import {
  type ApprovalOptions,
  agentsFile,
  mergeRules,
  type PermissionRules,
  retry,
  skills,
  timeout,
  trim,
} from 'turnbuckle/middleware'
import { commandParts, readProjectFile, workspacePlaces, workspacePreview } from 'turnbuckle/tools'
import type { LoadedSettings } from '../settings/load-settings.ts'
import type { Settings } from '../settings/settings.ts'
import type { ClaudeFiles } from './claude-code.ts'
import { liveApproval } from './live-approval.ts'
import { modelParams, paramsOf } from './model/model-params.ts'

/** The standing permissions of one person, or of each. */
export type Standing = NonNullable<ApprovalOptions['store']>

export interface OwnMiddlewareOptions {
  readonly permissions: Standing
  readonly answers?: ApprovalOptions['answers']
  /** A person sits at the terminal: questions wait for them. */
  readonly attended?: boolean | undefined
  /** Parameters of model calls that may change while it runs; those of the settings by default. */
  readonly params?: (() => ModelParams) | undefined
  /** Rules about calls that may change while it runs; those of the settings by default. */
  readonly rules?: (() => PermissionRules) | undefined
  /** Claude Code's instruction files and skills, where they count. */
  readonly claude?: Pick<ClaudeFiles, 'instructions' | 'skills'> | undefined
  /** Looks at each call that a person is asked about, before the question. */
  readonly onAsk?: (call: { readonly name: string }) => Promise<void>
}

/** Tools that are allowed without a question: they change nothing and send nothing. */
export const harmlessTools: readonly string[] = [
  'read_file',
  'list_files',
  'search_files',
  'command_output',
  'calculate',
  'wait',
  'fail',
  'ask',
  'ask_person',
  'todo',
]

/** The middleware that every agent of the programs has, before that of the settings. */
export function ownMiddleware(
  { root, user, project }: Pick<LoadedSettings, 'root' | 'user' | 'project'>,
  { permissions, answers, attended, params, rules, claude, onAsk }: OwnMiddlewareOptions,
): Middleware[] {
  const set = paramsOf({ user, project })
  const preview = workspacePreview({ root })
  const settled = permissionRules({ user, project })
  const given = params ?? (Object.keys(set).length ? () => set : undefined)
  return [
    instructionFiles(root, claude),
    ...(claude?.skills.length && !isGiven('skills', user, project) ? [skills(claude.skills)] : []),
    liveApproval(rules ?? (() => settled), {
      store: permissions,
      project: root,
      parts: call => commandParts(call, root),
      places: workspacePlaces({ root }),
      preview: async call => {
        await onAsk?.(call)
        return preview(call)
      },
      ...(answers ? { answers } : {}),
      ...(attended ? { timeout: Infinity } : {}),
    }),
    ...(given ? [modelParams(given)] : []),
    ...safetyNets({ user, project }),
  ]
}

/** The names of `safetyNets`: with an entry of the settings, the net is left out from the next start on. */
export const safetyNetNames: readonly string[] = ['retry', 'trim', 'timeout']

/** AGENTS.md, and Claude Code's files behind it: one that it imports, or that imports it, is shown once. */
function instructionFiles(root: string, claude: OwnMiddlewareOptions['claude']): Middleware {
  if (!claude) return agentsFile({ read: path => readProjectFile(root, path) })
  return agentsFile({
    paths: ['AGENTS.md', ...claude.instructions],
    async read(path) {
      const { readClaudeInstructions } = await import('turnbuckle/claude')
      const shown = path === 'AGENTS.md' ? new Set<string>() : new Set([join(root, 'AGENTS.md')])
      const text = await readClaudeInstructions(root, path, shown)
      // A CLAUDE.md that is a link to AGENTS.md, or the same text.
      return path !== 'AGENTS.md' && text === (await readProjectFile(root, 'AGENTS.md')) ? undefined : text
    },
  })
}

const isGiven = (name: string, user: Settings, project: Settings): boolean =>
  [...(user.middleware ?? []), ...(project.middleware ?? [])].some(({ use }) => use === name)

/**
 * Middleware against a provider that fails for a while, a context that is too long and a provider that stalls. An entry
 * of the settings with its name replaces it. Order: each attempt has the time limit for itself. Sub-agents have them too.
 */
export function safetyNets({ user, project }: Pick<LoadedSettings, 'user' | 'project'>): Middleware[] {
  const { idleTimeoutMs = 60_000, firstDataTimeoutMs = 600_000, retry: again = {} } = { ...user, ...project }
  const { times = 3 } = again
  const nets = [
    retry({ times, baseMs: 1000 }),
    trim({ maxTokens: Infinity }),
    timeout({ idle: idleTimeoutMs || Infinity, first: firstDataTimeoutMs || Infinity }),
  ]
  return nets.filter(({ name }) => !isGiven(name, user, project))
}

/** The user's rules, or else ours; a project's may only make them stricter. */
export function permissionRules({ user, project }: Pick<LoadedSettings, 'user' | 'project'>): PermissionRules {
  const rules = user.permissions ?? {}
  const own = rules.allow || rules.ask ? rules : { ...rules, allow: harmlessTools }
  return mergeRules(own, project.permissions ?? {})
}
