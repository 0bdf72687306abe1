import type { StateScope } from '../core/history/tree.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { changedPrompt } from '../core/model/build-prompt.ts'
import { tool } from '../core/tools/tool.ts'
import type { Tool } from '../core/types/tool.ts'
import { checkArgument, checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'

/** Tools behind a container that the model opens by a call. */
export interface ToolGroup {
  /** The name of the container, as the model calls it. */
  readonly name: string
  /** The purpose of the group's tools: all that the model sees before it opens the group. */
  readonly description: string
  /** The group's tools, or the names of tools that the agent has anyway. A tool may be in several groups. */
  readonly tools: readonly (Tool | string)[]
}

/** The options of `toolGroups`. */
export interface ToolGroupsOptions {
  /** The time that a group stays open. `turn` by default. */
  readonly scope?: StateScope
}

const groupList = (): is.Kind =>
  is.list(
    is.shaped('{ name, description, tools }', {
      name: is.text,
      description: is.text,
      tools: is.list(is.either(is.text, is.plain)),
    }),
  )
const shape = (): Shape<ToolGroupsOptions> => ({ scope: is.oneOf('turn', 'branch', 'conversation') })

/**
 * Shows the model containers in place of many tools; calling one puts its tools there instead. A tool in a closed group
 * cannot be called. Not a guard: the model opens groups as it likes.
 *
 * ```ts
 * toolGroups([{ name: 'calendar', description: 'Read and change the calendar', tools: [list, add, remove] }])
 * ```
 */
export function toolGroups(groups: readonly ToolGroup[], options: ToolGroupsOptions = {}): Middleware {
  checkArgument('toolGroups', 'groups', groups, groupList())
  checkOptions('toolGroups', options, shape)
  const own = new Set(groups.flatMap(group => group.tools.filter(member => typeof member !== 'string')))
  return middleware<{ readonly open: readonly string[] }>({
    name: 'tool-groups',
    description: 'Shows the model groups of tools, opened on demand.',
    state: { open: [] },
    scope: options.scope ?? 'turn',
    tools: groups.map(({ name }) => name),
    provides: [...groups.map(container), ...own],
    afterTool(ctx) {
      const { name } = ctx.call
      if (ctx.result?.status === 'ok' && !ctx.state.open.includes(name))
        ctx.update(({ open }) => ({ open: [...open, name] }))
    },
    beforeModel(ctx) {
      const isOpen = (group: ToolGroup) => ctx.state.open.includes(group.name)
      const open = groups.filter(isOpen)
      const hidden = new Set(groups.flatMap(names))
      for (const group of open) for (const name of names(group)) hidden.delete(name)
      for (const { name } of open) hidden.add(name)
      const tools = ctx.prompt.tools.filter(({ name }) => !hidden.has(name))
      ctx.prompt = changedPrompt(ctx.prompt, { tools })
    },
  })
}

const names = (group: ToolGroup): string[] =>
  group.tools.map(member => (typeof member === 'string' ? member : member.name))

const container = (group: ToolGroup): Tool =>
  tool({
    name: group.name,
    description: `${group.description} (Call it to see its tools: ${names(group).join(', ')}.)`,
    idempotent: true,
    readOnly: true,
    run: () => `These tools are there now: ${names(group).join(', ')}.`,
  })
