/** The list without one of its members. */
export const without = <Item>(list: readonly Item[], gone: Item): readonly Item[] => list.filter(item => item !== gone)
