/** The user's words on both sides: one turn each. The second shows what becomes of the first one's replies. */
export const texts = ['Hello.', 'And now?']

/** The result of every function that is ours. */
export const given = 'It worked.'
