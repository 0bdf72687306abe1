import { stripControls } from 'turnbuckle/tools'

/** Foreign text in one line, without anything that could drive the terminal. */
export function oneLine(text: string, width = 100): string {
  const flat = stripControls(text).replace(/\s+/g, ' ').trim()
  return flat.length > width ? `${flat.slice(0, Math.max(1, width - 1))}…` : flat
}
