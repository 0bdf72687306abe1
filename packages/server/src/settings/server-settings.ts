import type {
  AuditEntry,
  ProviderTrial,
  ProviderTrialResult,
  SettingsChange,
  ToolPermission,
  WireMcpServer,
  WireSettings,
  WireTrustItem,
} from 'turnbuckle/client'

/** Names content that waits for trust. */
export type TrustedContent = Pick<WireTrustItem, 'kind' | 'name' | 'hash'>

/**
 * The settings of the program that serves, as a port: `turnbuckle serve` gives them from its files. Refusals are errors with the codes
 * `setting.fixed`, `setting.invalid`, `provider.missing`, `trust.missing`, `trust.changed`, and those of models.
 */
export interface ServerSettings {
  /** The settings in force. Contract: no key is in them. */
  read(): Promise<WireSettings>
  /** Changes the user's file, and puts that into force. All or nothing: a change that is refused in part is refused. */
  change(change: SettingsChange): Promise<void>
  /** Asks a model of the provider one thing. */
  testProvider(name: string, trial: ProviderTrial): Promise<ProviderTrialResult>
  /** What the rules say of a tool. */
  permissionOf(tool: string): ToolPermission
  /** The MCP servers, with their commands and addresses, which only owners are told. */
  mcpServers(): readonly WireMcpServer[]
  /** Parts of the project that wait for trust. */
  untrusted(): Promise<readonly WireTrustItem[]>
  /** Trusts that exact content, as the person of the token. */
  trust(content: TrustedContent, by: string): Promise<void>
  /** Contents that were trusted, here or in a terminal, as entries of the audit list. */
  trusted(): readonly AuditEntry[]
}
