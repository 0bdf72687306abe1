import { cleanText } from '../../text/clean-text.ts'
import { paint } from '../../text/theme.ts'
import { cutText, wrapText } from '../../text/wrap-text.ts'
import { lastLines, renderMarkdown } from '../markdown/render-markdown.ts'
import type { ReplyItem, TranscriptItem } from '../transcript/transcript-item.ts'
import { toolLines } from './tool-lines.ts'

/** Measures of the screen for one item. */
export interface ItemView {
  readonly width: number
  /** Lines that something unfinished may take. */
  readonly height: number
  readonly now: number
  /** True for an item that is printed once, above the live ones. */
  readonly settled: boolean
  /** Thoughts and results in full. */
  readonly unfolded: boolean
}

/** An item of the transcript in lines, with a blank one above it. */
export function itemLines(item: TranscriptItem, view: ItemView): readonly string[] {
  switch (item.kind) {
    case 'user':
      return ['', ...userLines(item.text, view.width)]
    case 'notice':
      return ['', ...textLines(item.text, view.width).map(line => paint(item.tone === 'warn' ? 'warn' : 'quiet', line))]
    case 'reply':
      return replyLines(item, view)
    case 'tool':
      return ['', ...toolLines(item, view)]
  }
}

/** Foreign text in lines that fit; a tab is two columns. */
export const textLines = (text: string, width: number): readonly string[] =>
  wrapText(cleanText(text).replaceAll('\t', '  '), width)

const userLines = (text: string, width: number): readonly string[] =>
  textLines(text, width - 2).map((line, i) => `${i ? ' ' : paint('prompt', '❯')} ${paint('user', line)}`)

function replyLines(item: ReplyItem, { width, height, unfolded }: ItemView): readonly string[] {
  const rows = unfolded && item.reasoning.trim() ? Math.ceil(height / 2) : height
  const fit = (lines: readonly string[]) => (item.done ? lines : lastLines(lines, rows))
  const lines = [
    ...(item.goesOn ? [] : thoughtLines(item.reasoning, width, unfolded, fit)),
    ...fit(renderMarkdown(item.text, width)),
    ...(item.cut ? [paint('warn', `… ${item.cut}`)] : []),
  ]
  return lines.length ? ['', ...lines] : []
}

function thoughtLines(
  reasoning: string,
  width: number,
  unfolded: boolean,
  fit: (lines: readonly string[]) => readonly string[],
): readonly string[] {
  const words = reasoning.split(/\s+/).filter(Boolean).length
  if (!words) return []
  const head = paint('quiet', `${unfolded ? '▾' : '▸'} thought, ${words} words`)
  if (!unfolded) return [head]
  return [head, ...fit(textLines(reasoning.trim(), width - 2)).map(line => paint('quiet', `  ${line}`))]
}

const diffRoles = [
  ['+', 'added'],
  ['-', 'removed'],
  ['@', 'info'],
] as const

/** A unified diff, a row for each line, added and removed ones in colour. */
export const diffLines = (text: string, width: number): readonly string[] =>
  cleanText(text)
    .trimEnd()
    .split('\n')
    .map(line => {
      const [, role] = diffRoles.find(([mark]) => line.startsWith(mark)) ?? ['', 'quiet' as const]
      return `  ${paint(role, cutText(line.replaceAll('\t', '  '), width - 2))}`
    })
