/** The token in a pasted address, else the pasted text itself. */
export const tokenInText = (text: string): string => /token=([^&\s]+)/.exec(text)?.[1] ?? text.trim()
