import { Box, Text } from 'ink'
import type { ReactElement } from 'react'
import { stripControls } from 'turnbuckle/tools'
import { visibleText } from '../../text/visible-text.ts'
import { wrapText } from '../../text/wrap-text.ts'
import type { ReplyItem, ToolItem, TranscriptItem } from '../transcript/transcript-item.ts'
import { callLine, callTime } from './call-line.ts'
import { lastLines, renderMarkdown } from './render-markdown.ts'

/** Measures of the screen for one item. */
export interface ItemViewProps {
  readonly width: number
  /** Lines that something unfinished may take. */
  readonly height: number
  readonly now: number
  /** True for an item that is printed once, above the live ones. */
  readonly settled: boolean
  /** Thoughts in full. */
  readonly unfolded: boolean
}

/** Draws one item of the transcript. */
export function ItemView({ item, ...view }: ItemViewProps & { readonly item: TranscriptItem }): ReactElement {
  switch (item.kind) {
    case 'user':
      return (
        <Box marginTop={1}>
          <Text color="cyan">{'❯ '}</Text>
          <Box width={view.width - 2}>
            <Text bold>{stripControls(item.text)}</Text>
          </Box>
        </Box>
      )
    case 'notice':
      return (
        <Box marginTop={1} width={view.width}>
          <Text {...(item.tone === 'warn' ? { color: 'yellow' } : { dimColor: true })}>{stripControls(item.text)}</Text>
        </Box>
      )
    case 'reply':
      return <Reply item={item} {...view} />
    case 'tool':
      return <ToolCard item={item} {...view} />
  }
}

function Reply({ item, width, height, unfolded }: ItemViewProps & { readonly item: ReplyItem }): ReactElement {
  const drawn = renderMarkdown(item.text, width)
  const words = item.reasoning.split(/\s+/).filter(Boolean).length
  const rows = unfolded && words > 0 ? Math.ceil(height / 2) : height
  const thought = wrapText(stripControls(item.reasoning.trim()), width - 2).join('\n')
  return (
    <Box flexDirection="column" marginTop={item.text || words ? 1 : 0} width={width}>
      {words > 0 && <Text dimColor>{`${unfolded ? '▾' : '▸'} thought, ${words} words`}</Text>}
      {words > 0 && unfolded && (
        <Box paddingLeft={2}>
          <Text dimColor>{tailOf(thought, item, rows)}</Text>
        </Box>
      )}
      {item.text !== '' && <Text>{tailOf(drawn, item, rows)}</Text>}
      {item.cut && <Text color="yellow">{`… ${item.cut}`}</Text>}
    </Box>
  )
}

/** A reply that still grows shows its last lines, so that it does not push the input off the screen. */
const tailOf = (text: string, { done }: ReplyItem, height: number): string => (done ? text : lastLines(text, height))

const marks: Readonly<Record<string, readonly [mark: string, color: string]>> = {
  ok: ['✓', 'green'],
  waiting: ['○', 'gray'],
  unknown: ['?', 'yellow'],
  blocked: ['⊘', 'yellow'],
  denied: ['⊘', 'yellow'],
  interrupted: ['◼', 'yellow'],
  'cut off': ['◼', 'yellow'],
}
const spinner = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'

function ToolCard({ item, width, now, settled }: ItemViewProps & { readonly item: ToolItem }): ReactElement {
  const { status, name, progress, done } = item
  const turning = spinner[Math.floor(now / 100) % spinner.length] ?? ''
  const [mark, color] = status === 'running' ? [turning, 'cyan'] : (marks[status] ?? ['✗', 'red'])
  const time = callTime(item, now)
  const columns = Math.max(10, width - name.length - time.length - 6)
  return (
    <Box flexDirection="column" marginTop={1} width={width}>
      <Text wrap="truncate">
        <Text color={color}>{mark}</Text> <Text bold>{name}</Text> {callLine(item.args, columns)}{' '}
        <Text dimColor>{time}</Text>
      </Text>
      {progress !== undefined && !done && <Text color="cyan" wrap="truncate">{`  ${progress}`}</Text>}
      {settled && done && <Result item={item} width={width} />}
    </Box>
  )
}

const shownLines = 6

function Result({
  item: { result, status },
  width,
}: {
  readonly item: ToolItem
  readonly width: number
}): ReactElement | null {
  const { diff } = (result ?? {}) as { diff?: unknown }
  if (typeof diff === 'string' && diff) return <Diff text={diff} lines={20} />
  const text = typeof result === 'string' ? stripControls(result) : visibleText(result ?? '')
  const lines = text.trimEnd().split('\n')
  if (!text.trim()) return null
  const more = lines.length - shownLines
  return (
    <Box flexDirection="column" paddingLeft={2} width={width}>
      {status !== 'ok' && <Text color="yellow">{status}</Text>}
      {lines.slice(0, shownLines).map((line, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text that does not change
        <Text key={i} dimColor wrap="truncate">
          {line || ' '}
        </Text>
      ))}
      {more > 0 && <Text dimColor>{`… ${more} more lines`}</Text>}
    </Box>
  )
}

interface DiffProps {
  readonly text: string
  /** At most. */
  readonly lines: number
  /** Say how many are left out. */
  readonly rest?: boolean
}

/** A unified diff, added and removed lines in colour. */
export function Diff({ text, lines, rest = true }: DiffProps): ReactElement {
  const all = stripControls(text).trimEnd().split('\n')
  const more = all.length - lines
  return (
    <Box flexDirection="column" paddingLeft={2}>
      {all.slice(0, lines).map((line, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text that does not change
        <Text key={i} wrap="truncate" {...lineColor(line)}>
          {line || ' '}
        </Text>
      ))}
      {more > 0 && rest && <Text dimColor>{`… ${more} more lines`}</Text>}
    </Box>
  )
}

function lineColor(line: string): { color?: string; dimColor?: boolean } {
  if (line.startsWith('+')) return { color: 'green' }
  if (line.startsWith('-')) return { color: 'red' }
  return line.startsWith('@') ? { color: 'cyan' } : { dimColor: true }
}
