import { styleText } from 'node:util'

export type TextStyle = Parameters<typeof styleText>[0]

let areColoursOff = false
/** For the rest of the process. The environment stays as it is: commands that tools run inherit it. */
export function useNoColours(): void {
  areColoursOff = true
}

/** False in a pipe, with NO_COLOR and on a dumb terminal; FORCE_COLOR goes over all of them. */
export const hasColours = (stream: { readonly isTTY?: boolean } = process.stdout): boolean =>
  process.env.FORCE_COLOR !== undefined && process.env.FORCE_COLOR !== '0'
    ? true
    : Boolean(stream.isTTY) && !process.env.NO_COLOR && process.env.TERM !== 'dumb'

export const styled = (style: TextStyle, text: string): string =>
  text && !areColoursOff && hasColours() ? styleText(style, text, { validateStream: false }) : text
