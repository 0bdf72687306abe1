import { TurnbuckleError } from 'turnbuckle'
import { UserError } from '../errors/user-error.ts'

/** Does work for a person in a browser: a mistake that a terminal would be told of becomes a `setting.invalid`. */
export async function settingRefusal<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof UserError ? new TurnbuckleError('setting.invalid', error.message) : error
  }
}
