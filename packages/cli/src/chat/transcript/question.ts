import type { Editor } from '../editor/editor.ts'
import type { AnswerChoice } from '../input/answer-choices.ts'

/** A question that the person has to answer: a request of the turn, or one of the chat's own. */
export interface Question {
  readonly id: string
  readonly kind: 'permission' | 'text' | 'yes-no' | 'outcome' | 'plan' | 'back'
  /** `May shell run?` */
  readonly title: string
  readonly body: string
  /** For a text that answers a form: the field that it is; empty where it is none. */
  readonly field?: string
  readonly diff?: string
  /** For a permission: what is asked about. */
  readonly args?: unknown
  readonly scopes?: readonly string[]
  /** For a permission: the calls that a yes for longer covers, in words. */
  readonly pattern?: string
  /** For a permission: a no can be kept for the conversation. */
  readonly deniable?: boolean
  /** For a permission: the people whom it may be passed on to; `*` is everybody. */
  readonly delegates?: readonly string[]
  /** A yes for longer than once that waits for the person's word: the pattern is shown first. */
  readonly confirming?: AnswerChoice | undefined
  /** Writing a reason for a no, other arguments, or the person to ask instead. The draft that was in the input waits meanwhile. */
  readonly writing?: 'reason' | 'args' | 'delegate' | undefined
  /** The argument that is edited as plain text; without it all arguments are, as JSON. */
  readonly argument?: string
  readonly draft?: Editor
  /** A text is in the input: Enter says no with it, or answers a question in words. */
  readonly typed?: boolean
  readonly help?: boolean
  readonly problem?: string | undefined
  /** A question of the chat's own: it stays when the turn ends. */
  readonly own?: boolean
}
