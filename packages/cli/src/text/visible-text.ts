/** Arguments as a person should see them: nothing hidden, control characters visible. */
export function visibleText(value: unknown, indent?: number): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, undefined, indent) ?? String(value))
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: making them visible is the point
    /[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g,
    char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
