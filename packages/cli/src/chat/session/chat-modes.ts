import type { Middleware } from 'turnbuckle'
import { nextMode, type PermissionMode } from '../../compose/permissions/permission-mode.ts'
import { planMode } from '../../compose/permissions/plan-mode.ts'
import type { ShownChat } from './shown-chat.ts'

const saidOfMode: Readonly<Record<PermissionMode, string>> = {
  ask: 'Mode: ask before anything is changed.',
  'accept edits': 'Mode: accept edits. Files of the project are written unasked; commands are asked about.',
  plan: 'Mode: plan. Only reading, until you accept a plan.',
}

/** The chat's mode: ask, accept edits, or plan. */
export class ChatModes {
  readonly #chat: ShownChat
  /** Takes the middleware of plan mode away. */
  #leavePlan: (() => void) | undefined

  constructor(chat: ShownChat) {
    this.#chat = chat
  }

  /** Shift-Tab. */
  next(): void {
    this.use(nextMode(this.#chat.state.mode))
  }

  /** Counts from the next stage on. */
  use(mode: PermissionMode): void {
    const { agent, mode: modeSwitch } = this.#chat.composed
    modeSwitch.current = mode
    this.#leavePlan?.()
    this.#leavePlan = mode === 'plan' ? agent.use(this.#planMode()) : undefined
    this.#chat.refresh()
    this.#chat.set({ mode, hint: saidOfMode[mode] })
  }

  #planMode(): Middleware {
    return planMode({ tools: () => this.#chat.composed.agent.tools, accepted: () => this.use('ask') })
  }

  /** True for a permission that the mode grants by itself. */
  accepts(payload: unknown): boolean {
    return this.#chat.composed.mode.accepts(payload)
  }
}
