import { cleanText } from './clean-text.ts'

/** Foreign text in one line, without anything that could drive the terminal. */
export function oneLine(text: string, width = 100): string {
  const flat = cleanText(text).replace(/\s+/g, ' ').trim()
  return flat.length > width ? `${flat.slice(0, Math.max(1, width - 1))}…` : flat
}
