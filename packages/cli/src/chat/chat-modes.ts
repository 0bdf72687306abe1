import { nextMode, type PermissionMode } from '../compose/permission-mode.ts'
import { planMode } from '../compose/plan-mode.ts'
import type { ChatSession } from './chat-session.ts'

const saidOfMode: Readonly<Record<PermissionMode, string>> = {
  ask: 'Mode: ask before anything is changed.',
  'accept edits': 'Mode: accept edits. Files of the project are written unasked; commands are asked about.',
  plan: 'Mode: plan. Only reading, until you accept a plan.',
}

/** The chat's mode: ask, accept edits, or plan. */
export class ChatModes {
  readonly #session: ChatSession
  /** Takes the middleware of plan mode away. */
  #leavePlan: (() => void) | undefined

  constructor(session: ChatSession) {
    this.#session = session
  }

  /** Shift-Tab. */
  next(): void {
    this.use(nextMode(this.#session.state.mode))
  }

  /** Counts from the next stage on. */
  use(mode: PermissionMode): void {
    const session = this.#session
    session.composed.mode.current = mode
    this.#leavePlan?.()
    this.#leavePlan = mode === 'plan' ? session.composed.agent.use(planMode(() => this.use('ask'))) : undefined
    session.set({ mode })
    session.refresh()
    session.set({ hint: saidOfMode[mode] })
  }

  /** True for a permission that the mode grants by itself. */
  accepts(payload: unknown): boolean {
    return this.#session.composed.mode.accepts(payload)
  }
}
