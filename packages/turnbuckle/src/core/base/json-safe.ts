import { boundedJson } from './bounded-json.ts'

/** A copy of the value that JSON can hold; parts that JSON cannot say become words. */
export const jsonSafe = <Value>(value: Value): Value =>
  JSON.parse(boundedJson(value, Infinity, '[refers to itself]').json) as Value
