import { UserError } from '../errors/user-error.ts'

/** Does what the settings ask for. What is wrong with it is a mistake in the file, and said with its place. */
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
