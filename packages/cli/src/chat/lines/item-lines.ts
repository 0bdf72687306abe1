import { paint } from '../../text/theme.ts'
import { renderMarkdown } from '../markdown/render-markdown.ts'
import type { ReplyItem, TranscriptItem } from '../transcript/transcript-item.ts'
import { foldLines } from './fold-lines.ts'
import { diffLines, textLines } from './foreign-lines.ts'
import { lastLines } from './growing-lines.ts'
import type { ItemView } from './item-view.ts'
import { toolLines } from './tool-lines.ts'
import { wrapDiff } from './wrap-diff.ts'

/** An item of the transcript in lines, with a blank one above it. */
export function itemLines(item: TranscriptItem, view: ItemView): readonly string[] {
  switch (item.kind) {
    case 'user':
      return ['', ...userLines(item.text, view)]
    case 'notice':
      return ['', ...noticeLines(item, view.width)]
    case 'reply':
      return replyLines(item, view)
    case 'tool':
      return ['', ...toolLines(item, view)]
  }
}

/** Lines of a person's message: a long one is a paste. */
const userLimit = 20

function userLines(text: string, { width, unfolded }: ItemView): readonly string[] {
  const lines = textLines(text, width - 2)
  const drawn = lines.map((line, i) => `${i ? ' ' : paint('prompt', '❯')} ${paint('user', line)}`)
  return foldLines(drawn, unfolded ? Infinity : userLimit)
}

const noticeLines = ({ text, tone, asked }: TranscriptItem & { kind: 'notice' }, width: number): readonly string[] => [
  ...textLines(text, width).map(line => paint(tone === 'warn' ? 'warn' : 'quiet', line)),
  ...(asked ? diffLines(wrapDiff(asked, width - 2), width) : []),
]

/** Of a reply that grows the last lines: its thought goes before its words. */
function replyLines(item: ReplyItem, { width, height, unfolded }: ItemView): readonly string[] {
  const said = [
    ...(item.goesOn ? [] : thoughtLines(item.reasoning, width, unfolded)),
    ...renderMarkdown(item.text, width, item),
  ]
  const cut = item.cut ? [paint('warn', `… ${item.cut}`)] : []
  const lines = [...(item.done ? said : lastLines(said, height)), ...cut]
  return lines.length && !item.isInBlock ? ['', ...lines] : lines
}

function thoughtLines(reasoning: string, width: number, unfolded: boolean): readonly string[] {
  const words = reasoning.split(/\s+/).filter(Boolean).length
  if (!words) return []
  const head = paint('quiet', `${unfolded ? '▾' : '▸'} thought, ${words} words`)
  if (!unfolded) return [head]
  return [head, ...textLines(reasoning.trim(), width - 2).map(line => paint('quiet', `  ${line}`))]
}
