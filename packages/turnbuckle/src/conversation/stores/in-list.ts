import type { Place } from './driver.ts'

/** Order of the list of conversations: newest first, those of one moment by id. */
export const inList = (a: Place, b: Place): number =>
  b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : Number(a.id > b.id))
