/** A person's mistake: said in plain words, without a stack trace. */
export class UserError extends Error {
  override readonly name = 'UserError'
  /** 2: bad usage; 1: something else that the person can put right. */
  readonly exitCode: 1 | 2

  constructor(message: string, exitCode: 1 | 2 = 2) {
    super(message)
    this.exitCode = exitCode
  }
}
