import type { MaybePromise } from '../../core/hook-types.ts'
import { parsePattern } from './pattern.ts'
import { covers, forbids, type Subject } from './subject.ts'

export type GrantScope = 'conversation' | 'project' | 'always'

/** What a person said for longer than one call. Plain data. */
export interface Grant {
  readonly id: string
  readonly decision: 'allow' | 'deny'
  readonly scope: GrantScope
  readonly tool: string
  /** What the person was shown. */
  readonly pattern: string
  readonly patterns: readonly string[]
  /** Of the tool's name, description and schema at that time. */
  readonly fingerprint: string
  readonly conversationId?: string
  readonly project?: string
  readonly reason?: string
  readonly by?: string
  readonly createdAt: number
  /** From then on it does not count. */
  readonly expiresAt?: number
  readonly usesLeft?: number
}

/** Where grants are kept: a port, so that memory, a file and a database are alike. */
export interface PermissionStore {
  list(): MaybePromise<readonly Grant[]>
  add(grant: Grant): MaybePromise<void>
  /** False when there is none. */
  revoke(id: string): MaybePromise<boolean>
  /** Counts one use. False when none is left or the grant is gone. */
  use(id: string): MaybePromise<boolean>
}

/** Kept as long as the process runs. */
export function memoryPermissions(grants: readonly Grant[] = []): PermissionStore {
  const kept = new Map(grants.map(grant => [grant.id, grant]))
  return {
    list: () => [...kept.values()],
    add(grant) {
      kept.set(grant.id, grant)
    },
    revoke: id => kept.delete(id),
    use(id) {
      const grant = kept.get(id)
      if (!grant || grant.usesLeft === 0) return false
      if (grant.usesLeft !== undefined) kept.set(id, { ...grant, usesLeft: grant.usesLeft - 1 })
      return true
    },
  }
}

export interface Where {
  readonly conversationId: string
  readonly project: string | undefined
  readonly now: number
}

export function counts(grant: Grant, { conversationId, project, now }: Where): boolean {
  if (grant.expiresAt !== undefined && now >= grant.expiresAt) return false
  if (grant.usesLeft !== undefined && grant.usesLeft <= 0) return false
  if (grant.scope === 'conversation') return grant.conversationId === conversationId
  return grant.scope === 'always' || (project !== undefined && grant.project === project)
}

/** A no holds also when the tool has changed since: else changing it were the way around. */
export const denies = (grant: Grant, subject: Subject): boolean =>
  grant.decision === 'deny' && grant.patterns.some(text => forbids(parsePattern(text), subject))

/** A yes holds for the tool as it was. */
export const allows = (grant: Grant, subject: Subject, text: string | undefined, fingerprint: string): boolean =>
  grant.decision === 'allow' &&
  grant.fingerprint === fingerprint &&
  grant.patterns.some(pattern => covers(parsePattern(pattern), subject, text))
