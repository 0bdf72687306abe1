import { demand, TurnbuckleError } from '../base/errors.ts'
import { none } from '../base/lists.ts'
import type { ToolSpec } from '../base/ports.ts'
import { checkBySchema, type SchemaCheck } from '../tools/check-by-schema.ts'
import { specOf } from '../tools/tool.ts'
import type { Tool } from '../types/tool.ts'

/** The tools of an agent: its own, and those that its middleware brings. */
export class AgentTools {
  readonly #own: readonly Tool[]
  readonly #schemaCheck: SchemaCheck | undefined
  /** Tools with the check of their arguments: a tool stays the same one when the middleware changes. */
  readonly #checked = new WeakMap<Tool, Tool>()
  #byName: ReadonlyMap<string, Tool> = new Map()
  #specs: readonly ToolSpec[] = none

  constructor(own: readonly Tool[], schemaCheck: SchemaCheck | undefined) {
    this.#own = own
    this.#schemaCheck = schemaCheck
  }

  get list(): readonly Tool[] {
    return [...this.#byName.values()]
  }
  /** The tools as the model is told of them: one array, replaced only when the tools change. */
  get specs(): readonly ToolSpec[] {
    return this.#specs
  }
  find(name: string): Tool | undefined {
    return this.#byName.get(name)
  }

  /** Replaces the tools that middleware brings. Throws where two tools have one name, and then changes nothing. */
  bring(brought: readonly Tool[]): void {
    const byName = new Map<string, Tool>()
    for (const tool of [...this.#own, ...brought]) {
      demand(tool?.schema && tool.run, 'tool.invalid', 'That is no tool. Make one: tool({ name, input, run }).')
      if (byName.has(tool.name))
        throw new TurnbuckleError('tool.duplicate', `There are two tools "${tool.name}". Rename one.`)
      byName.set(tool.name, this.#withCheck(tool))
    }
    this.#byName = byName
    this.#specs = Object.freeze(this.list.map(specOf))
  }
  #withCheck(tool: Tool): Tool {
    const checked = this.#checked.get(tool) ?? checkBySchema(tool, this.#schemaCheck)
    this.#checked.set(tool, checked)
    return checked
  }
}
