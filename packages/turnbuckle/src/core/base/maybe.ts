/** Stores answer at once or later; whoever calls them waits only where they must. */
export type Maybe<Value> = Value | Promise<Value>

export const andThen = <Value, Next>(value: Maybe<Value>, next: (value: Value) => Maybe<Next>): Maybe<Next> =>
  value instanceof Promise ? value.then(next) : next(value)
