import { messageOf } from '../core/base/errors.ts'
import { isRecord, type McpToolHandler } from './hook-handler.ts'
import type { ClaudeHookSource } from './hook-source.ts'
import type { HookRun } from './run-hook-command.ts'

/**
 * Calls a tool of a connected MCP server and gives its text: `mcp.call`. Throws where the server is not connected or the tool failed. `from`: whose the
 * hook is. What a server says to a hook of the `user` counts as the user's word.
 */
export type CallMcpTool = (
  server: string,
  tool: string,
  args: Readonly<Record<string, unknown>>,
  options: { readonly signal: AbortSignal; readonly from: ClaudeHookSource['from'] },
) => Promise<string>

/** Calls a handler's tool: its text is the output of a command that ended well. Never rejects. */
export async function runHookTool(
  { server, tool, input = {} }: McpToolHandler,
  event: Readonly<Record<string, unknown>>,
  call: CallMcpTool | undefined,
  {
    ms,
    signal,
    from,
  }: { readonly ms: number; readonly signal?: AbortSignal | undefined; readonly from: ClaudeHookSource['from'] },
): Promise<HookRun> {
  let late: AbortSignal | undefined
  try {
    late = AbortSignal.timeout(ms)
    if (!call) throw new Error(`The MCP server "${server}" is not connected.`)
    const args = filled(input, event) as Readonly<Record<string, unknown>>
    const stdout = await call(server, tool, args, { signal: signal ? AbortSignal.any([late, signal]) : late, from })
    return { exit: 0, stdout, stderr: '' }
  } catch (error) {
    return { exit: late?.aborted ? 'timeout' : 1, stdout: '', stderr: messageOf(error) }
  }
}

/** Texts with `${a.b}` replaced by that member of the event, at any depth; a member that is not there is an empty text. */
function filled(value: unknown, event: Readonly<Record<string, unknown>>): unknown {
  if (typeof value === 'string') return value.replace(/\$\{([\w.]+)\}/g, (_, path: string) => textAt(event, path))
  if (Array.isArray(value)) return value.map(item => filled(item, event))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, event)]))
}

function textAt(event: Readonly<Record<string, unknown>>, path: string): string {
  let value: unknown = event
  for (const key of path.split('.')) value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
