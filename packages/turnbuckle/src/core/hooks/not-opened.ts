/** Given by a stage's `input` when there is nothing for it to do. */
export const notOpened: unique symbol = Symbol('not opened')
