import { styleText } from 'node:util'
import { stripControls } from 'turnbuckle/tools'

type Style = Parameters<typeof styleText>[0]

/** Whether colours are wanted on standard output: not in a pipe, not with NO_COLOR. */
export const coloured = (stream: { readonly isTTY?: boolean } = process.stdout): boolean =>
  process.env.FORCE_COLOR !== undefined && process.env.FORCE_COLOR !== '0'
    ? true
    : Boolean(stream.isTTY) && !process.env.NO_COLOR && process.env.TERM !== 'dumb'

export const styled = (style: Style, text: string): string =>
  coloured() ? styleText(style, text, { validateStream: false }) : text

/** Foreign text in one line, without anything that could drive the terminal. */
export function oneLine(text: string, width = 100): string {
  const flat = stripControls(text).replace(/\s+/g, ' ').trim()
  return flat.length > width ? `${flat.slice(0, Math.max(1, width - 1))}…` : flat
}

/** Arguments as a person should see them: nothing hidden, control characters visible. */
export function visible(value: unknown, indent?: number): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, undefined, indent) ?? String(value))
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: making them visible is the point
    /[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g,
    char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** `1.2k` */
export const short = (count: number): string =>
  count < 1000
    ? String(count)
    : count < 1_000_000
      ? `${(count / 1000).toFixed(1)}k`
      : `${(count / 1_000_000).toFixed(1)}M`

/** `340 ms`, `1.2 s`, `2 min` */
export const duration = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`

export const money = (cost: number | undefined): string => (cost ? `$${cost.toFixed(cost < 0.1 ? 4 : 2)}` : '')

export const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}
