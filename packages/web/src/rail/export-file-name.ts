const longest = 60

/** The file name of an exported conversation: its title with letters and digits of any language, else `conversation`. */
export const exportFileName = (title: string, format: 'md' | 'json'): string =>
  `${title.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, longest) || 'conversation'}.${format}`
