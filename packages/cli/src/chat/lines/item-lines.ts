import { paint } from '../../text/theme.ts'
import { lastLines, renderMarkdown } from '../markdown/render-markdown.ts'
import type { ReplyItem, TranscriptItem } from '../transcript/transcript-item.ts'
import { textLines } from './foreign-lines.ts'
import type { ItemView } from './item-view.ts'
import { toolLines } from './tool-lines.ts'

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
