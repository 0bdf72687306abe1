import { messageOf } from '../core/base/errors.ts'
import type { HttpHandler } from './hook-handler.ts'
import type { HookRun } from './run-hook-command.ts'

/** Posts the event to a handler's address. Only a JSON object, or nothing, in an answer of 2xx is a success. Never rejects. */
export async function runHookRequest(
  { url, headers = {}, allowedEnvVars = [] }: HttpHandler,
  input: string,
  { ms, signal }: { readonly ms: number; readonly signal?: AbortSignal | undefined },
): Promise<HookRun> {
  let late: AbortSignal | undefined
  try {
    late = AbortSignal.timeout(ms)
    const filled = Object.entries(headers).map(([name, value]) => [name, fill(value, allowedEnvVars)])
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...Object.fromEntries(filled) },
      body: input,
      signal: signal ? AbortSignal.any([late, signal]) : late,
    })
    const body = (await response.text()).trim()
    if (response.ok && (body === '' || body.startsWith('{'))) return { exit: 0, stdout: body, stderr: '' }
    return { exit: 1, stdout: '', stderr: `${url} answered ${response.status}${response.ok ? ' without JSON' : ''}.` }
  } catch (error) {
    return { exit: late?.aborted ? 'timeout' : 'failed', stdout: '', stderr: messageOf(error) }
  }
}

/** Variables that are not listed are empty. */
const fill = (value: string, allowed: readonly string[]): string =>
  value.replace(/\$\{(\w+)\}|\$(\w+)/g, (_, braced?: string, plain?: string) => {
    const name = braced ?? plain ?? ''
    return allowed.includes(name) ? (process.env[name] ?? '') : ''
  })
