import { demand, TurnbuckleError } from '../base/errors.ts'
import { none } from '../base/lists.ts'
import type { ToolSpec } from '../base/ports.ts'
import { checkBySchema, type SchemaCheck } from '../tools/check-by-schema.ts'
import { specOf } from '../tools/tool.ts'
import type { OfferedTools } from '../types/agent-core.ts'
import type { Middleware } from '../types/middleware.ts'
import type { Tool } from '../types/tool.ts'

const noTool =
  'That is no tool. Make one: tool({ name, input, run }). Tools of the AI SDK become some with aiSdkTools({ … }), those of LangChain with langChainTools([ … ]).'

/** The tools of an agent: its own, and those that its middleware brings. */
export class AgentTools implements OfferedTools {
  readonly #own: readonly Tool[]
  readonly #schemaCheck: SchemaCheck | undefined
  /** Tools with the check of their arguments: a tool stays the same one when the middleware changes. */
  #checked: WeakMap<Tool, Tool> | undefined
  /** By the middleware of a turn: made once, and anew when the agent's own have changed. */
  #ofTurns: WeakMap<readonly Middleware[], OfferedTools & { readonly agents: readonly ToolSpec[] }> | undefined
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

  /** The tools of a turn whose own middleware may bring more. A tool that the agent has under the same name stays the agent's. */
  withThose(use: readonly Middleware[]): OfferedTools {
    if (!use.length) return this
    const known = this.#ofTurns?.get(use)
    if (known?.agents === this.#specs) return known
    const brought = use.flatMap(({ provides }) => provides).filter(({ name }) => !this.#byName.has(name))
    if (!brought.length) return this
    const byName = new Map([...this.#byName, ...brought.map(tool => [tool.name, this.#withCheck(tool)] as const)])
    const specs = Object.freeze(Array.from(byName.values(), specOf))
    const tools = { agents: this.#specs, specs, find: (name: string) => byName.get(name) }
    this.#ofTurns ??= new WeakMap()
    this.#ofTurns.set(use, tools)
    return tools
  }

  /** Replaces the tools that middleware brings. Throws where two tools have one name, and then changes nothing. */
  bring(brought: readonly Tool[]): void {
    const byName = new Map<string, Tool>()
    for (const tool of [...this.#own, ...brought]) {
      demand(tool?.schema && tool.run, 'tool.invalid', noTool)
      if (byName.has(tool.name))
        throw new TurnbuckleError('tool.duplicate', `There are two tools "${tool.name}". Rename one.`)
      byName.set(tool.name, this.#withCheck(tool))
    }
    this.#byName = byName
    this.#specs = Object.freeze(this.list.map(specOf))
  }
  #withCheck(tool: Tool): Tool {
    if (tool.input) return tool
    this.#checked ??= new WeakMap()
    const checked = this.#checked.get(tool) ?? checkBySchema(tool, this.#schemaCheck)
    this.#checked.set(tool, checked)
    return checked
  }
}
