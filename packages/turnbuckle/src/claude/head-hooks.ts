import { relative } from 'node:path'
import { readHookHandlers } from './hook-handler.ts'
import type { ClaudeHookSource } from './hook-source.ts'

/**
 * The `hooks` in the head of a sub-agent, skill or command, if it has some. `Stop` of a sub-agent is its `SubagentStop`; `once` counts in skills
 * and commands only.
 */
export function headHooks(
  hooks: unknown,
  {
    of,
    from,
    path,
    within,
  }: Required<Pick<ClaudeHookSource, 'of'>> & {
    readonly from: 'user' | 'project'
    readonly path: string
    readonly within: string
  },
): { readonly hooks?: ClaudeHookSource } {
  if (hooks === undefined) return {}
  const { handlers, problems } = readHookHandlers(hooks)
  const file = from === 'user' ? path : relative(within, path)
  const own = handlers.map(entry => {
    if (of.kind !== 'agent') return entry
    const { once: _, ...handler } = entry.handler
    return { ...entry, event: entry.event === 'Stop' ? 'SubagentStop' : entry.event, handler }
  })
  return { hooks: { from, file, handlers: own, problems: problems.map(problem => `${file}: ${problem}`), of } }
}
