import { toolsOf } from '../compose/own-tools.ts'
import type { Settings } from '../settings/settings.ts'

interface Both {
  readonly user: Settings
  readonly project: Settings
}

/** The settings that are read at the start, by the path of each in a file: the value that counts. */
const readAtStart: readonly { readonly path: readonly string[]; readonly value: (of: Both) => unknown }[] = [
  { path: ['maxSteps'], value: mostSteps },
  { path: ['idleTimeoutMs'], value: ({ user, project }) => project.idleTimeoutMs ?? user.idleTimeoutMs ?? 60_000 },
  {
    path: ['firstDataTimeoutMs'],
    value: ({ user, project }) => project.firstDataTimeoutMs ?? user.firstDataTimeoutMs ?? 600_000,
  },
  { path: ['retry'], value: ({ user, project }) => (project.retry ?? user.retry)?.times ?? 3 },
  ...(['files', 'shell', 'fetch'] as const).map(name => ({
    path: ['tools', name],
    value: ({ user, project }: Both) => toolsOf(user.tools ?? {}, project.tools ?? {})[name],
  })),
]

/** Steps of a turn at most: the stricter file's, 50 where neither says. */
function mostSteps({ user, project }: Both): number {
  const most = Math.min(project.maxSteps ?? Infinity, user.maxSteps ?? Infinity)
  return most === Infinity ? 50 : most
}

export interface StartSetting {
  readonly path: readonly string[]
  readonly value: unknown
  /** The value from the next start on, where the user's file was changed since this one. */
  readonly later?: unknown
}

/** The settings that are read at the start, as they are in force: `now` is the user's file as it has become. */
export function startSettings({ user, project }: Both, now: Settings): readonly StartSetting[] {
  return readAtStart.map(({ path, value }) => {
    const [inForce, later] = [value({ user, project }), value({ user: now, project })]
    return { path, value: inForce, ...(inForce === later ? {} : { later }) }
  })
}
