import { TurnbuckleError } from 'turnbuckle'

/** The error `<what>.missing`. An id of any length makes a short message. */
export const notFound = (what: string, id: string): TurnbuckleError =>
  new TurnbuckleError(`${what}.missing`, `There is no ${what} "${id.slice(0, 300)}" here.`)
