import type { z } from 'zod'
import type { Act } from '../access/rights.ts'

/** A call of the HTTP interface. The routes, the checks and the OpenAPI document all come from here. */
export interface Call {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  readonly path: string
  /** The row of the table of rights that says which roles may make it. */
  readonly act: Act
  readonly summary: string
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** The body is bytes, and no JSON: at most so many. */
  readonly takesBytes?: number
  /** The answer is bytes, and no JSON. */
  readonly answersBytes?: true
  /** Honours `Idempotency-Key`. */
  readonly keyed?: true
  readonly status: 200 | 201 | 202 | 204
  readonly answer?: z.ZodType
  /** Codes of errors it may answer with, by status. */
  readonly errors?: Readonly<Record<number, string>>
}
