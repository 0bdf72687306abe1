import type { Usage } from '../core/base/ports.ts'
import type { TurnStatus } from '../core/events/events.ts'

/** A turn by its ids. */
export interface TurnPlace {
  /** The conversation of the turn. */
  readonly conversationId: string
  /** The turn. */
  readonly turnId: string
}

/** The facts of a turn that are kept. */
export interface Observation extends TurnPlace {
  /** The status of the turn. */
  readonly status: TurnStatus
  /** The name of whoever ended the turn. */
  readonly by: string
  /** The number of model stages of the turn. */
  readonly steps: number
  /** Tokens and cost of the turn. */
  readonly usage: Usage
  /** Active milliseconds. */
  readonly ms: number
  /** By name: how often a tool was called, and how often that went wrong. */
  readonly tools: Readonly<Record<string, { readonly calls: number; readonly failures: number }>>
}

/** A proposed change as data, for code that makes it or tries it. */
export type ProposedAction =
  /** The limit or guard of that name ends too many turns. */
  | { readonly type: 'raise-limit'; readonly middleware: string }
  /** The tool needs another description or schema, or `toolRetry`. */
  | { readonly type: 'improve-tool'; readonly tool: string }
  /** One of these would help. */
  | { readonly type: 'add-middleware'; readonly anyOf: readonly string[] }
  /** A change of a rule of your own. */
  | { readonly type: 'own'; readonly [detail: string]: unknown }

/** What a replay of recorded turns says of a proposal. */
export type Trial =
  /** Turns by outcome. `different`: the change would have made a difference there. */
  | {
      readonly verdict: 'tried'
      readonly turns: number
      readonly same: number
      readonly different: number
      readonly diverged: number
    }
  /** `reason`: why a replay cannot tell. */
  | { readonly verdict: 'unknown'; readonly reason: string }

/** A change that somebody may make. Nothing makes it by itself. */
export interface Proposal {
  /** Equal ids are told once, until they no longer hold. */
  readonly id: string
  /** The observation that speaks for the change. */
  readonly reason: string
  /** The change to make, in words. */
  readonly change: string
  /** The change as data, for code that makes or tries it. */
  readonly action?: ProposedAction
  /** The numbers behind the reason: shares from 0 to 1, counts. */
  readonly measured?: Readonly<Record<string, number>>
  /** The turns that it is about. */
  readonly turns?: readonly TurnPlace[]
}

/** A proposal after its trial. */
export interface TriedProposal extends Proposal {
  /** The outcome of its trial by replay. */
  readonly trial: Trial
}

/** Analyses what was seen and plans. */
export type TunerRule = (seen: readonly Observation[]) => Proposal | readonly Proposal[] | undefined

const placeOf = ({ conversationId, turnId }: Observation): TurnPlace => ({ conversationId, turnId })
const percent = (part: number): string => `${Math.round(part * 100)} %`

/** A fifth of the turns is ended by the same limit or guard. */
const stops: TunerRule = seen =>
  [...new Set(seen.filter(({ status }) => status === 'stopped').map(({ by }) => by))].flatMap(by => {
    const turns = seen.filter(turn => turn.status === 'stopped' && turn.by === by).map(placeOf)
    const share = turns.length / seen.length
    if (share < 0.2) return []
    return {
      id: `stops:${by}`,
      reason: `${percent(share)} of turns were stopped by ${by}.`,
      change: `Raise what ${by} allows, or change the instructions so that turns need less.`,
      action: { type: 'raise-limit', middleware: by },
      measured: { share, turns: seen.length },
      turns,
    }
  })

/** A tool that was called ten times fails three times in ten. */
const failingTools: TunerRule = seen =>
  [...new Set(seen.flatMap(({ tools }) => Object.keys(tools)))].flatMap(name => {
    const sum = (what: 'calls' | 'failures') => seen.reduce((total, { tools }) => total + (tools[name]?.[what] ?? 0), 0)
    const [calls, failures] = [sum('calls'), sum('failures')]
    if (calls < 10 || failures / calls < 0.3) return []
    return {
      id: `tool:${name}`,
      reason: `${name} failed in ${percent(failures / calls)} of ${calls} calls.`,
      change: `Describe ${name} and its arguments better, or add toolRetry for it.`,
      action: { type: 'improve-tool', tool: name },
      measured: { share: failures / calls, calls },
      turns: seen.filter(({ tools }) => tools[name]?.failures).map(placeOf),
    }
  })

/** A tenth of the turns fails. */
const failingTurns: TunerRule = seen => {
  const turns = seen.filter(({ status }) => status === 'failed').map(placeOf)
  const share = seen.length ? turns.length / seen.length : 0
  if (share < 0.1) return undefined
  return {
    id: 'failures',
    reason: `${percent(share)} of turns failed.`,
    change: 'Add retry or fallback.',
    action: { type: 'add-middleware', anyOf: ['retry', 'fallback'] },
    measured: { share, turns: seen.length },
    turns,
  }
}

/** The rules that are there from the start. */
export const tunerRules: readonly TunerRule[] = [stops, failingTools, failingTurns]
