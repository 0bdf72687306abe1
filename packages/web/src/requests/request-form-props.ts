/** Every form of a request gets these; the request's `kind` decides which form is drawn. */
export interface RequestFormProps {
  readonly payload: unknown
  /** An answer is on its way: no second one may be given. */
  readonly busy: boolean
  readonly answer: (value: unknown) => void
}
