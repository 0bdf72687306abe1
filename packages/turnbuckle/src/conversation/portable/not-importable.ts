import { TurnbuckleError } from '../../core/base/errors.ts'

/** The error of a conversation file that is refused. */
export const notImportable = (why: string): TurnbuckleError =>
  new TurnbuckleError('import.invalid', `This conversation cannot be imported: ${why}.`)
