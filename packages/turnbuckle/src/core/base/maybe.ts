/** A value, or the promise of one: the answer of a store or a hook. Callers wait only for a promise. */
export type Maybe<Value> = Value | Promise<Value>

export const andThen = <Value, Next>(value: Maybe<Value>, next: (value: Value) => Maybe<Next>): Maybe<Next> =>
  value instanceof Promise ? value.then(next) : next(value)
