/** Parameters of model calls that a person sets: for all conversations, or for one. */
export interface ModelParams {
  /** Randomness of the reply; 0 is least. */
  readonly temperature?: number
  /** Samples from the likeliest tokens up to this probability. */
  readonly topP?: number
  /** The most tokens of a reply. */
  readonly maxOutputTokens?: number
  /** How much the model thinks first, where it can. */
  readonly reasoning?: 'low' | 'medium' | 'high'
}

/** New values of parameters; `null` takes one back. */
export type ParamsChange = { readonly [Name in keyof ModelParams]?: ModelParams[Name] | null }

/** The settings that a conversation has of its own. They count from its next turn on, and survive a restart. */
export interface ConversationSettings {
  /** The model, by its name in the list of models. */
  readonly model?: string
  /** Text that is added to the instructions for all conversations. */
  readonly instructions?: string
  /** Parameters that count more than those for all conversations. */
  readonly params?: ModelParams
}

/** A change of a conversation. Of its settings `null` takes one back. */
export interface ConversationChange {
  /** Another title. */
  readonly title?: string
  /** The message that becomes the head. */
  readonly head?: string
  /** Another model, from the next turn on. */
  readonly model?: string | null
  /** Other instructions, from the next turn on. */
  readonly instructions?: string | null
  /** Other parameters, from the next turn on; those that are not named stay. */
  readonly params?: ParamsChange
}

/** The place that a setting comes from. Each counts more than those before it; the user's file is the one that can be changed here. */
export type SettingSource = 'default' | 'user' | 'project' | 'flag' | 'environment'

/** A setting that is in force. */
export interface WireSetting {
  /** Absent where nothing sets it. */
  readonly value?: unknown
  /** The place that sets it. */
  readonly from: SettingSource
  /** That place in words: `turnbuckle.config.json:4`, `--model`. */
  readonly place?: string
  /** The user's file cannot change it: the place counts more. */
  readonly fixed?: true
  /** The value from the next start on, where the file has another since this one. */
  readonly later?: unknown
}

/** A key or an address of a provider. The value of a key is never told. */
export interface WireVariable extends Omit<WireSetting, 'value' | 'later'> {
  /** True where it has a value. */
  readonly set: boolean
  /** The value of an address; keys have none. */
  readonly value?: string
}

/** A provider of models, with the names of its variables. */
export interface WireProvider {
  /** The first part of its models' names. */
  readonly name: string
  /** The models it is known for. */
  readonly about: string
  /** The variable of its key, where it takes one. */
  readonly key?: string
  /** The variable of its address. */
  readonly address: string
  /** Set for one that has no address that everybody uses. */
  readonly asksAddress?: true
}

/** An entry of the settings' `middleware`. */
export interface WireMiddlewareEntry {
  /** A name of the library, or the path of a module. */
  readonly use: string
  /** The file that the entry is in. */
  readonly from: 'user' | 'project'
  /** The names of the middleware that the entry has made; none where it waits for trust. */
  readonly names: readonly string[]
  /** The options that it was made with. */
  readonly options?: unknown
  /** Lower runs first; the middleware's own where the entry has none. */
  readonly priority?: number
  /** False for an entry that is switched off in its file. */
  readonly enabled?: boolean
  /** The file has changed since the start in a way that counts from the next start on. */
  readonly later?: true
}

/** An entry of `middleware` in the user's file. */
export type MiddlewareSetting = Pick<WireMiddlewareEntry, 'use' | 'options' | 'priority' | 'enabled'>

/** Rules of a settings file. `deny` wins over `ask`, `ask` over `allow`; what no rule names is asked about. */
export interface RuleLists {
  /** Calls that run without a question: `read_file`, `shell(git *)`. */
  readonly allow?: readonly string[]
  /** Calls that a person is asked about. */
  readonly ask?: readonly string[]
  /** Calls that never run. */
  readonly deny?: readonly string[]
}

/** The rules of the settings, by the file that they are in. */
export interface WireRules {
  /** The user's; these can be changed. */
  readonly user: RuleLists
  /** The project's, which only make it stricter. */
  readonly project: RuleLists
  /** The tools that are allowed for as long as the user's file has neither `allow` nor `ask`. */
  readonly harmless: readonly string[]
}

/** An MCP server of the user's file: a command, or an address. Of variables and headers the names alone are told. */
export interface WireMcpSetting {
  /** The program that is run. */
  readonly command?: string
  /** Its arguments. */
  readonly args?: readonly string[]
  /** The address of one that runs elsewhere. */
  readonly url?: string
  /** The names of the variables that the program is given. */
  readonly env?: readonly string[]
  /** The names of the headers that are sent to the address. */
  readonly headers?: readonly string[]
}

/** A new or another MCP server in the user's file: a command, or an address. */
export interface McpSetting extends Omit<WireMcpSetting, 'env' | 'headers'> {
  /** Variables for the program; those that are not named stay, `null` takes one back. */
  readonly env?: Readonly<Record<string, string | null>>
  /** Headers for the address; those that are not named stay, `null` takes one back. */
  readonly headers?: Readonly<Record<string, string | null>>
}

/** The settings that are in force, and where each comes from. */
export interface WireSettings {
  /** The user's file, which a change goes to. */
  readonly file: string
  /** By name; parameters are `params.temperature` and so on. */
  readonly settings: Readonly<Record<string, WireSetting>>
  /** Keys and addresses of providers, by the name of their variable. */
  readonly env: Readonly<Record<string, WireVariable>>
  /** The providers that models can come from. */
  readonly providers: readonly WireProvider[]
  /** The entries of the settings' `middleware`. */
  readonly middleware: readonly WireMiddlewareEntry[]
  /** The names of the library that an entry of `middleware` can have. */
  readonly middlewareNames: readonly string[]
  /** The rules about calls of tools. */
  readonly permissions: WireRules
  /** The MCP servers of the user's file, by name. */
  readonly mcpServers: Readonly<Record<string, WireMcpSetting>>
}

/** A change of the user's file. `null` takes a setting out of it. */
export interface SettingsChange {
  /** The default model. */
  readonly model?: string | null
  /** Instructions for all conversations. */
  readonly instructions?: string | null
  /** Parameters for all conversations; those that are not named stay. */
  readonly params?: ParamsChange
  /** Steps of a turn at most. As all that follow up to `tools`, it counts from the next start on. */
  readonly maxSteps?: number | null
  /** Milliseconds between two pieces of a reply; 0 for no limit. */
  readonly idleTimeoutMs?: number | null
  /** Milliseconds until a reply begins; 0 for no limit. */
  readonly firstDataTimeoutMs?: number | null
  /** How often a model call that failed for a passing reason is tried again. */
  readonly retry?: { readonly times: number } | null
  /** The tools of the program; those that are not named stay. */
  readonly tools?: {
    readonly files?: boolean | 'read' | null
    readonly shell?: boolean | null
    readonly fetch?: boolean | null
  }
  /** Keys and addresses of providers, by the name of their variable. */
  readonly env?: Readonly<Record<string, string | null>>
  /** Lists of rules, each as a whole; those that are not named stay. */
  readonly permissions?: { readonly [List in keyof RuleLists]?: readonly string[] | null }
  /** MCP servers by name; those that are not named stay. Every server is connected anew. */
  readonly mcpServers?: Readonly<Record<string, McpSetting | null>>
  /** The user's entries of `middleware` as a whole. A module can be left out or changed here, and is added in the file alone. */
  readonly middleware?: readonly MiddlewareSetting[] | null
}

/** A key, an address and a model to try; those that are not given are taken from the settings. */
export interface ProviderTrial {
  /** The key to try. */
  readonly key?: string
  /** The address to try. */
  readonly address?: string
  /** The model to ask, by its whole name. */
  readonly model?: string
}

/** The outcome of one call to a provider. */
export interface ProviderTrialResult {
  /** True where the model answered. */
  readonly works: boolean
  /** The model that was asked. */
  readonly model?: string
  /** The problem, in words, where it did not answer. */
  readonly problem?: string
}

/** A tool of the server's agent. */
export interface WireTool {
  /** The name that the model calls it by. */
  readonly name: string
  /** The tool's purpose, for the model. */
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly schema: object
  /** The outcome of a call by the rules, where the server knows them. */
  readonly permission?: ToolPermission
}

/** What rules say of the calls of a tool. */
export interface ToolPermission {
  /** The outcome of a call that no rule about arguments covers. */
  readonly decision: 'allow' | 'ask' | 'deny'
  /** Rules about arguments of this tool, such as `deny shell(rm *)`. */
  readonly rules: readonly string[]
}

/** An MCP server of the settings. */
export interface WireMcpServer {
  /** Its name in the settings. */
  readonly name: string
  /** The file that names it. */
  readonly from: 'user' | 'project'
  /** `untrusted`: it was not started, because nobody has trusted it. */
  readonly state: 'connecting' | 'ready' | 'failed' | 'closed' | 'untrusted'
  /** True for one of the user's own file, and for one of a project that a person has trusted. */
  readonly trusted: boolean
  /** The problem of one that failed, which may have its address; told to owners alone. */
  readonly error?: string
  /** The command or the address; told to owners alone. */
  readonly does?: string
  /** The names of its tools. */
  readonly tools: readonly string[]
}

/** Something of the project that runs, or is believed, only after a person has trusted that exact content. */
export interface WireTrustItem {
  /** Hooks and MCP servers begin to work at once when they are trusted; the others with the next start. */
  readonly kind: 'settings' | 'hook' | 'mcp' | 'store' | 'command'
  /** Its name in the project. */
  readonly name: string
  /** What it would do, in words. */
  readonly does: string
  /** The hash of the content that is asked about. */
  readonly hash: string
  /** The content, as it would run. */
  readonly text?: string
  /** The content that was trusted last under this name. */
  readonly trustedText?: string
}
