import type { ToolItem } from '../transcript/transcript-item.ts'

/** The status of a call as a person sees it: the result of a command says whether it failed, or was ended before it was done. */
export function callOutcome({ name, status, result }: Pick<ToolItem, 'name' | 'status' | 'result'>): string {
  const end = name === 'shell' && typeof result === 'string' ? (/\[[^\n[\]]*\]$/.exec(result)?.[0] ?? '') : ''
  if (/^\[exit code \w+\]$/.test(end)) return 'failed'
  return end.startsWith('[ended before it was done: ') ? 'interrupted' : status
}
