import { TurnbuckleError } from '../core/base/errors.ts'
import type { StateScope } from '../core/history/tree.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { changedPrompt } from '../core/model/build-prompt.ts'
import { tool } from '../core/tools/tool.ts'
import type { Tool } from '../core/types/tool.ts'
import { checkArgument, checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'

/** Know-how that the model activates by a call when it needs it. */
export interface Skill {
  /** The name that the model activates it by. */
  readonly name: string
  /** When to use it, in a line: all that the model sees before it activates the skill. */
  readonly description: string
  /** The skill's instructions: in the system text while the skill is active. */
  readonly instructions: string
  /** Tools that are there only while it is active. One may be in several skills. */
  readonly tools?: readonly Tool[]
}

/** The options of `skills`. */
export interface SkillsOptions {
  /** The tool that activates a skill. `skill` by default. */
  readonly toolName?: string
  /** The time that a skill stays active. `branch` by default: for the rest of the conversation, as far as this branch goes. */
  readonly scope?: StateScope
}

const skillList = (): is.Kind =>
  is.list(
    is.shaped('{ name, description, instructions }', { name: is.text, description: is.text, instructions: is.text }),
  )
const shape = (): Shape<SkillsOptions> => ({ toolName: is.text, scope: is.oneOf('turn', 'branch', 'conversation') })

/**
 * Instructions and tools that the model activates by a call when it needs them; until then it sees a line of each.
 * Not a guard: it saves room. A tool that needs permission needs `approval`, in a skill or not.
 *
 * ```ts
 * skills([{ name: 'release', description: 'How to publish a version', instructions: '1. …', tools: [publish] }])
 * ```
 */
export function skills(list: readonly Skill[], options: SkillsOptions = {}): Middleware {
  checkArgument('skills', 'list', list, skillList())
  checkOptions('skills', options, shape)
  const { toolName = 'skill', scope = 'branch' } = options
  return middleware<{ readonly active: readonly string[] }>({
    name: 'skills',
    description: 'Loads instructions and tools when the model asks for them.',
    state: { active: [] },
    scope,
    tools: [toolName],
    provides: [activator(toolName, list), ...new Set(list.flatMap(toolsOf))],
    afterTool(ctx) {
      const { name } = ctx.call.args as { name: string }
      if (ctx.result?.status === 'ok' && !ctx.state.active.includes(name))
        ctx.update(({ active }) => ({ active: [...active, name] }))
    },
    beforeModel(ctx) {
      const isActive = (skill: Skill) => ctx.state.active.includes(skill.name)
      const hidden = new Set(list.flatMap(toolsOf).map(({ name }) => name))
      for (const { name } of list.filter(isActive).flatMap(toolsOf)) hidden.delete(name)
      const { prompt } = ctx
      ctx.prompt = changedPrompt(prompt, {
        tools: hidden.size ? prompt.tools.filter(({ name }) => !hidden.has(name)) : prompt.tools,
        instructions: [prompt.instructions, overview(toolName, list), ...list.filter(isActive).map(inFull)]
          .filter(Boolean)
          .join('\n\n'),
      })
    },
  })
}

const toolsOf = ({ tools = [] }: Skill): readonly Tool[] => tools

const overview = (toolName: string, list: readonly Skill[]): string =>
  `Skills, to activate with the tool ${toolName}:\n${list.map(({ name, description }) => `- ${name}: ${description}`).join('\n')}`
const inFull = ({ name, instructions }: Skill): string => `# Skill: ${name}\n\n${instructions}`

function activator(toolName: string, list: readonly Skill[]): Tool {
  const names = list.map(({ name }) => name)
  return tool<{ name?: unknown }>({
    name: toolName,
    description: 'Activates a skill: its instructions and tools are there from the next step on.',
    idempotent: true,
    readOnly: true,
    schema: { type: 'object', properties: { name: { type: 'string', enum: names } }, required: ['name'] },
    run({ name }) {
      if (names.includes(String(name))) return `The skill ${name} is active.`
      throw new TurnbuckleError('skill.unknown', `There is no skill "${name}". Skills here: ${names.join(', ')}.`)
    },
  })
}
