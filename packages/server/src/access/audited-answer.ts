import type { AuditEntry, WireRequest } from 'turnbuckle/client'

/** The fields of a permission answer that rights and the audit list go by. The answer may not be checked yet. */
interface Said {
  readonly decision?: unknown
  readonly scope?: unknown
  readonly pattern?: unknown
}

const said = (answer: unknown): Said => (typeof answer === 'object' && answer !== null ? answer : {})
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** True for a permission that outlasts its conversation. */
export function isLasting(kind: string, answer: unknown): boolean {
  const { scope } = said(answer)
  return kind === 'permission' && (scope === 'project' || scope === 'always')
}

/** An answer that was taken, for the audit list: who decided what about which tool, and nothing of the call's arguments. */
export function auditedAnswer(
  { id, kind, payload, voted }: WireRequest,
  answer: unknown,
  { by, conversationId }: { readonly by: string; readonly conversationId: string },
): Omit<AuditEntry, 'id' | 'at'> {
  const about = { by, conversationId, requestId: id }
  if (kind !== 'permission') return { ...about, act: voted ? 'voted' : 'answered', what: kind }
  const { name, pattern: usual, denies } = (payload ?? {}) as { name?: unknown; pattern?: unknown; denies?: unknown }
  const { decision, scope, pattern = decision === 'deny' ? denies : usual } = said(answer)
  const isGrant = scope !== undefined && scope !== 'once'
  return {
    ...about,
    act: voted ? 'voted' : isGrant ? 'granted' : 'answered',
    what: text(name) ?? kind,
    ...(text(decision) === undefined ? {} : { decision: text(decision) as string }),
    ...(isGrant
      ? { scope: String(scope), ...(text(pattern) === undefined ? {} : { pattern: text(pattern) as string }) }
      : {}),
  }
}
