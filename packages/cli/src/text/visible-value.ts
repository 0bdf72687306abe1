/** A value as a person should see it, a text as it is and others as JSON: nothing hidden, control characters visible. */
export function visibleValue(value: unknown, indent?: number): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, undefined, indent) ?? String(value))
  return text.replace(hidden, char => `\\u${hexOf(char)}`)
}

/** Characters that no terminal shows, but for line ends and the two that choose how an emoji looks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: making them visible is the point
const hidden = /(?![\ufe0e\ufe0f])[\x00-\x09\x0b-\x1f\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

function hexOf(char: string): string {
  const hex = (char.codePointAt(0) ?? 0).toString(16)
  return hex.length > 4 ? `{${hex}}` : hex.padStart(4, '0')
}
