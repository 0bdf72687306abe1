import type { WireRequest } from 'turnbuckle/client'
import { callTitle } from '../ui/call-title.ts'

/** A question in a line: what a call would do, or the words of whoever asks. */
export function questionText({ payload }: WireRequest): string {
  const { name, args, question, message = question } = (payload ?? {}) as QuestionPayload
  const text = name === undefined ? message : `May ${name} run? ${callTitle(args).text ?? ''}`
  return text?.trim().slice(0, 200) || 'A question waits for you.'
}

interface QuestionPayload {
  readonly name?: string
  readonly args?: unknown
  readonly question?: string
  readonly message?: string
}
