/** A value of a call or result as indented JSON. Text stays as it is, without quotes. */
export const formatJson = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? '')
