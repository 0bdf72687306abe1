import { callLine } from '../../text/call-line.ts'
import { oneLine } from '../../text/one-line.ts'
import { paint, type ThemeRole } from '../../text/theme.ts'
import { cutText, textColumns } from '../../text/wrap-text.ts'
import type { ToolItem } from '../transcript/transcript-item.ts'
import { callOutcome } from './call-outcome.ts'
import { callTime } from './call-time.ts'
import { foldLines } from './fold-lines.ts'
import { diffLines, textLines } from './foreign-lines.ts'
import { lastLines } from './growing-lines.ts'
import type { ItemView } from './item-view.ts'
import { resultText } from './result-files.ts'

const marks: Readonly<Record<string, readonly [mark: string, role: ThemeRole]>> = {
  ok: ['✓', 'good'],
  waiting: ['○', 'quiet'],
  unknown: ['?', 'warn'],
  blocked: ['⊘', 'warn'],
  denied: ['⊘', 'warn'],
  interrupted: ['◼', 'warn'],
  stopped: ['◼', 'warn'],
  'cut off': ['◼', 'warn'],
}
const spinner = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'
/** Lines of a result, of a diff, and of what a running call reports. */
const shown = { result: 6, diff: 20, progress: 8 }

/** A call: its mark, name and argument, the time at the right edge; below them who answered whether it may run, its progress, then its result. */
export function toolLines(item: ToolItem, view: ItemView): readonly string[] {
  const { status, progress, done } = item
  const { width, now } = view
  const turning = spinner[Math.floor(now / 100) % spinner.length] ?? ''
  const [mark, role] = status === 'running' ? [turning, 'info' as const] : markOf(item)
  const time = callTime(item, now)
  const name = oneLine(item.name, 40)
  const said = callLine(item.args, Math.max(10, width - textColumns(name) - time.length - 5))
  const gap = ' '.repeat(Math.max(1, width - textColumns(`${name} ${said}`) - time.length - 2))
  const head = `${paint(role, mark)} ${paint('strong', name)} ${said}${time ? `${gap}${paint('quiet', time)}` : ''}`
  const growing = lastLines(progressLines(progress, width), shown.progress)
  const below = done ? (view.settled ? resultLines(item, view) : []) : growing
  const by = item.answered === undefined ? [] : [paint('quiet', cutText(`  ${item.answered}`, width))]
  return [cutText(head, width), ...by, ...below]
}

const progressLines = (progress: string | undefined, width: number): readonly string[] =>
  progress === undefined ? [] : progress.split('\n').map(line => paint('info', cutText(`  ${line}`, width)))

const failed: readonly [mark: string, role: ThemeRole] = ['✗', 'bad']

/** The mark of a call that does not run. */
const markOf = (item: ToolItem): readonly [mark: string, role: ThemeRole] => marks[callOutcome(item)] ?? failed

/** Changes that a call has made: those of a file tool stand behind a line of text. Empty without any. */
function diffOf({ name, status, result }: ToolItem): string {
  const { diff } = (result ?? {}) as { diff?: unknown }
  if (typeof diff === 'string') return diff
  const writes = name === 'edit_file' || name === 'write_file'
  return writes && status === 'ok' && typeof result === 'string' ? (/^@@ [\s\S]*/m.exec(result)?.[0] ?? '') : ''
}

function resultLines(item: ToolItem, { width, unfolded }: ItemView): readonly string[] {
  const { result, status, name } = item
  const diff = diffOf(item)
  if (diff) return foldLines(diffLines(diff, width), unfolded ? Infinity : shown.diff)
  const text = resultText(result)
  if (!text.trim()) return []
  const lines = textLines(text.trimEnd(), unfolded ? width - 2 : Infinity).map(
    line => `  ${paint('quiet', cutText(line, width - 2))}`,
  )
  // What a call has reported that was cut was seen, so it stays.
  const seen =
    status === 'interrupted' || status === 'stopped' || status === 'cut off' ? progressLines(item.progress, width) : []
  // A result that begins with its status has said it.
  const isSaid = status === 'ok' || text.toLowerCase().startsWith(status)
  const head = isSaid ? seen : [...seen, `  ${paint('warn', status)}`]
  return [...head, ...foldLines(lines, unfolded ? Infinity : shown.result, name === 'shell')]
}
