import { TurnbuckleError } from '../../core/base/errors.ts'

/** Why a file is refused, whatever is wrong with it. */
export const notImportable = (why: string): TurnbuckleError =>
  new TurnbuckleError('import.invalid', `This conversation cannot be imported: ${why}.`)
