import { boundedJson } from '../../core/base/bounded-json.ts'

/** What JSON can say of a value, as well as it can be said. */
export const sayable = <Value>(value: Value): Value =>
  JSON.parse(boundedJson(value, Infinity, '[refers to itself]').json) as Value
