/** Each kind once: `email, card`. */
export const list = (kinds: readonly string[]): string => [...new Set(kinds)].join(', ')
