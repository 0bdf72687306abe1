import type { Event } from 'turnbuckle'
import { oneLine } from './one-line.ts'

/** A wait before a model call is tried again, as the `retry` middleware tells it. */
export interface RetryNote {
  /** The error of the attempt that failed, a sentence. */
  readonly error: string
  readonly attempt: number
  readonly delayMs: number
}

/** Reads an event of the `retry` middleware; undefined for any other. Events of middleware have names that the union does not list. */
export function retryNote(event: Event): RetryNote | undefined {
  if (String(event.type) !== 'retry.waiting') return undefined
  const { attempt, delayMs, error } = event as unknown as Readonly<Record<string, unknown>>
  const text = oneLine(String(error), 300)
  return {
    error: /[.!?…]$/.test(text) ? text : `${text}.`,
    attempt: Number(attempt),
    delayMs: Number(delayMs),
  }
}

/** In a line: `The connection was cut. It is tried again in 2 s.` */
export const retryLine = ({ error, delayMs }: RetryNote): string =>
  `${error} It is tried again in ${Math.ceil(delayMs / 1000)} s.`
