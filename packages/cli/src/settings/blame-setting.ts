import { UserError } from '../errors/user-error.ts'

/** Does work that a setting asks for. An error becomes a `UserError` that begins with the place of that setting. */
export async function blameSetting<Result>(
  where: string | ((message: string) => string),
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const { message } = error as Error
    throw new UserError(`${typeof where === 'string' ? where : where(message)}${message}`)
  }
}
