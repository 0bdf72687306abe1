import type { McpSetting, WireMcpSetting } from 'turnbuckle/client'

/** An MCP server as a person writes it. */
export interface McpDraft {
  readonly name: string
  readonly kind: 'command' | 'url'
  readonly command: string
  /** One argument a line. */
  readonly args: string
  readonly url: string
  /** Variables or headers, `NAME=value` a line. A name alone with `=` takes that one back. */
  readonly secrets: string
}

export const mcpDraft = (name = '', { command = '', args = [], url = '' }: WireMcpSetting = {}): McpDraft => ({
  name,
  kind: url ? 'url' : 'command',
  command,
  args: args.join('\n'),
  url,
  secrets: '',
})

/** The setting of a draft, or words that say what is wrong with it. */
export function mcpSettingOf({ name, kind, command, args, url, secrets }: McpDraft): McpSetting | string {
  if (!/^[\w.-]{1,60}$/.test(name.trim())) return 'The name has letters, digits, dots, dashes and underscores.'
  const given = secretsOf(secrets)
  if (typeof given === 'string') return given
  if (kind === 'url') {
    if (!/^https?:\/\/./.test(url.trim())) return 'The address begins with https:// or http://.'
    return { url: url.trim(), ...(given ? { headers: given } : {}) }
  }
  if (!command.trim()) return 'Write the program that is run.'
  const words = args.split('\n').filter(line => line !== '')
  return { command: command.trim(), ...(words.length ? { args: words } : {}), ...(given ? { env: given } : {}) }
}

function secretsOf(text: string): Readonly<Record<string, string | null>> | undefined | string {
  const lines = text.split('\n').filter(line => line.trim())
  const wrong = lines.find(line => !/^\s*[\w-]+\s*=/.test(line))
  if (wrong !== undefined) return `“${wrong.trim()}” is no NAME=value.`
  const pairs = lines.map(line => {
    const at = line.indexOf('=')
    return [line.slice(0, at).trim(), line.slice(at + 1).trim() || null] as const
  })
  return pairs.length ? Object.fromEntries(pairs) : undefined
}
