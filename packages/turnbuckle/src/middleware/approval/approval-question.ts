/** The payload of a permission request, as a person is shown it. */
export interface ApprovalQuestion {
  /** The id of the call. */
  readonly id: string
  /** The tool's name. */
  readonly name: string
  /** The arguments of the call. */
  readonly args: unknown
  /** The tool, as the model is told of it. */
  readonly tool: { readonly description: string }
  /** Patterns that an answer for longer than once can cover, narrow to broad; `pattern` counts when the answer names none. */
  readonly patterns: readonly string[]
  /** The pattern that counts when the answer names none. */
  readonly pattern?: string
  /** In the order of `patterns`: the calls that each covers, in words, for the person. */
  readonly covers: readonly string[]
  /** The pattern that a no for longer than once forbids. */
  readonly denies?: string
  /** The scopes that an answer may have. */
  readonly scopes: readonly string[]
  /** The effect of the call, as the tool foresees it. */
  readonly preview?: unknown
  /** The change that the call would make, as a unified diff. */
  readonly diff?: string
  /** The person whom the question was passed on to. */
  readonly to?: string
  /** The person who has passed the question on, where that is known. */
  readonly from?: string
  /** The person who is asked in place of those named when the deadline has passed. */
  readonly next?: string
  /** The people whom it may be passed on to, with `{ decision: 'delegate', to }`; `'*'` is everybody. */
  readonly delegates?: readonly string[]
  /** The votes that are needed, and those given so far. */
  readonly quorum?: { readonly needed: number; readonly given: number }
}
