/** The empty list, shared by everything that has nothing yet. Frozen: what a hook pushed onto it would be in every conversation. */
export const none: readonly never[] = Object.freeze([])

/** The list without one of its members. */
export const without = <Item>(list: readonly Item[], gone: Item): readonly Item[] => list.filter(item => item !== gone)
