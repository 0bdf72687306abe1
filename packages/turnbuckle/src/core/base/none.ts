/** The empty list, shared by everything that has nothing yet. Frozen: what a hook pushed onto it would be in every conversation. */
export const none: readonly never[] = Object.freeze([])
