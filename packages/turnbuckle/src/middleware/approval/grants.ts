import type { Maybe } from '../../core/base/maybe.ts'
import { commandReach } from './command-reach.ts'
import { type Pattern, parsePattern } from './pattern.ts'
import { covers, forbids, mayForbid, type Subject } from './subject.ts'

/** The scope of a grant: how far a person's yes or no reaches. */
export type GrantScope = 'conversation' | 'project' | 'always'

/** A person's yes or no for longer than one call. Plain data. */
export interface Grant {
  /** Names the grant for `revoke`. */
  readonly id: string
  /** Whether calls that fit may run. */
  readonly decision: 'allow' | 'deny'
  /** How far the grant reaches. */
  readonly scope: GrantScope
  /** The tool's name. */
  readonly tool: string
  /** The pattern as the person was shown it. */
  readonly pattern: string
  /** The pattern's parts, as calls are matched against them. */
  readonly patterns: readonly string[]
  /** The fingerprint of the tool's name, description and schema at that time. */
  readonly fingerprint: string
  /** The conversation that it holds in, for that scope. */
  readonly conversationId?: string
  /** The project that it holds in, for that scope. */
  readonly project?: string
  /** The reason of a no, for the model. */
  readonly reason?: string
  /** The person who gave it. */
  readonly by?: string
  /** When it was given, in milliseconds since 1970. */
  readonly createdAt: number
  /** From then on it does not count. */
  readonly expiresAt?: number
  /** The calls that it still covers; without it, any number. */
  readonly usesLeft?: number
}

/** The port that keeps grants, so that memory, a file and a database are alike. */
export interface PermissionStore {
  /** The grants that still count. `clock`: the caller's, where that is not the time of day. */
  list(clock?: { now(): number }): Maybe<readonly Grant[]>
  /** Keeps a grant. */
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

/**
 * A yes holds for the tool as it was. One to a place or a command holds for no call with arguments beside it, which the person has not seen; one to
 * commands with the same beginning for none that writes or runs what the person was not shown.
 */
export function allows(grant: Grant, subject: Subject, text: string | undefined, fingerprint: string): boolean {
  if (grant.decision !== 'allow' || grant.fingerprint !== fingerprint) return false
  const isFor = (pattern: Pattern) =>
    pattern.bare || !(subject.more || (pattern.open && subject.command && !isAlike(text)))
  return grant.patterns.map(parsePattern).some(pattern => isFor(pattern) && covers(pattern, subject, text))
}

const isAlike = (text: string | undefined): boolean => text !== undefined && commandReach(text) === 'alike'
