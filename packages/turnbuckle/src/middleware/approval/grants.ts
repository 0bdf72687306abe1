import type { Maybe } from '../../core/base/maybe.ts'
import { parsePattern } from './pattern.ts'
import { covers, forbids, mayForbid, type Subject } from './subject.ts'

export type GrantScope = 'conversation' | 'project' | 'always'

/** A person's yes or no for longer than one call. Plain data. */
export interface Grant {
  readonly id: string
  readonly decision: 'allow' | 'deny'
  readonly scope: GrantScope
  readonly tool: string
  /** The pattern as the person was shown it. */
  readonly pattern: string
  readonly patterns: readonly string[]
  /** The fingerprint of the tool's name, description and schema at that time. */
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

/** The port that keeps grants, so that memory, a file and a database are alike. */
export interface PermissionStore {
  /** The grants that still count. `clock`: the caller's, where that is not the time of day. */
  list(clock?: { now(): number }): Maybe<readonly Grant[]>
  add(grant: Grant): Maybe<void>
  /** False when there is none. */
  revoke(id: string): Maybe<boolean>
  /** Counts one use. False when none is left or the grant is gone. */
  use(id: string): Maybe<boolean>
}

/** True where a grant counts at that time: neither expired nor used up. */
export const isStanding = ({ expiresAt, usesLeft }: Grant, now: number): boolean =>
  (expiresAt === undefined || now < expiresAt) && (usesLeft === undefined || usesLeft > 0)

/** Kept as long as the process runs. Goes by the clock of who asked last. */
export function memoryPermissions(grants: readonly Grant[] = []): PermissionStore {
  const kept = new Map(grants.map(grant => [grant.id, grant]))
  let time: { now(): number } = { now: () => Date.now() }
  return {
    list(clock = time) {
      time = clock
      const all = [...kept.values()]
      if (all.length) for (const grant of all) if (!isStanding(grant, clock.now())) kept.delete(grant.id)
      return kept.size === all.length ? all : [...kept.values()]
    },
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
  if (!isStanding(grant, now)) return false
  if (grant.scope === 'conversation') return grant.conversationId === conversationId
  return grant.scope === 'always' || (project !== undefined && grant.project === project)
}

/** A no holds also when the tool has changed since: else changing it were the way around. */
export const denies = (grant: Grant, subject: Subject): boolean =>
  grant.decision === 'deny' && grant.patterns.some(text => forbids(parsePattern(text), subject))

/** True where the grant denies calls, and it cannot be ruled out that this is one of them. */
export const mayDeny = (grant: Grant, subject: Subject): boolean =>
  grant.decision === 'deny' && grant.patterns.some(text => mayForbid(parsePattern(text), subject))

/** A yes holds for the tool as it was. */
export const allows = (grant: Grant, subject: Subject, text: string | undefined, fingerprint: string): boolean =>
  grant.decision === 'allow' &&
  grant.fingerprint === fingerprint &&
  grant.patterns.some(pattern => covers(parsePattern(pattern), subject, text))
