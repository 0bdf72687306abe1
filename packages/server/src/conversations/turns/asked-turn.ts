import type { KeyTag } from './idempotent-starts.ts'
import type { TurnInput } from './user-message.ts'

/** A turn that a person asks for, as plain data that another process can be given. */
export interface AskedTurn {
  readonly input: TurnInput
  readonly by: string
  readonly tag?: KeyTag | undefined
}

export interface StartedTurn {
  readonly turnId: string
  readonly seq: number
}

/** Something that a person does to a running turn. */
export type TurnAct =
  | { readonly type: 'interrupt'; readonly reason?: string | undefined }
  | { readonly type: 'interject'; readonly text: string }
