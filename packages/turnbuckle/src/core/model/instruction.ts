/** System text or parameters that a hook queued for coming model calls. */
export interface Instruction {
  readonly what: string | Readonly<Record<string, unknown>>
  readonly for: 'call' | 'turn'
  /** It is in the prompt that was built last. */
  readonly told?: boolean
}
