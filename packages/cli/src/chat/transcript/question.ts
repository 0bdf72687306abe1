import type { Editor } from '../input/editor.ts'

/** A question that the person has to answer: a request of the turn, or one of the chat's own. */
export interface Question {
  readonly id: string
  readonly kind: 'permission' | 'text' | 'yes-no' | 'outcome'
  /** `May shell run?` */
  readonly title: string
  readonly body: string
  readonly diff?: string
  /** For a permission: what is asked about. */
  readonly args?: unknown
  readonly scopes?: readonly string[]
  readonly pattern?: string
  /** Writing a reason for a no, other arguments, or an answer in words. What was written before waits meanwhile. */
  readonly writing?: 'reason' | 'args' | 'answer' | undefined
  readonly draft?: Editor
  readonly help?: boolean
  readonly problem?: string | undefined
}
