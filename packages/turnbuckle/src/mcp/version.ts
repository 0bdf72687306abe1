/** What the other side is told of this library. */
export const version = '0.1.0'
