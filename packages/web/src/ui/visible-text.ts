/** Characters that nobody sees or that turn the direction of text, but for tabs, line ends and the two that choose how an emoji looks. */
const hidden = /(?!\ufe0e|\ufe0f|[\t\n\r])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** A text that a person is asked about, with nothing hidden: `\u{200b}` stands for such a character. */
export const visibleText = (text: string): string =>
  text.replace(hidden, char => `\\u{${char.codePointAt(0)?.toString(16)}}`)
