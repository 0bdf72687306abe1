import { userInfo } from 'node:os'

/** The person at this terminal, as the author of answers: the name they have on this machine. */
export function localPerson(): string {
  try {
    return userInfo().username
  } catch {
    // A container may run as a user without a name.
    return 'me'
  }
}
