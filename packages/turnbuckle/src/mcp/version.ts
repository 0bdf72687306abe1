/** The version of this library, as the other side is told it. */
export const version = '0.1.0'
