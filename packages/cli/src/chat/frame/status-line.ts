import { contextWindow } from '../../text/context-window.ts'
import { formatCost, formatCount, formatDuration } from '../../text/format-count.ts'
import { oneLine } from '../../text/one-line.ts'
import { cutText, textColumns } from '../../text/wrap-text.ts'
import type { ChatState } from '../transcript/chat-state.ts'
import { statusRows } from './screen-width.ts'
import { hasToTakeBack } from './waiting-lines.ts'

export interface StatusView {
  /** Names of the person's own hooks that run now. */
  readonly hooks?: readonly string[]
  readonly now?: number
  readonly width?: number
  /** Rows of the terminal. */
  readonly rows?: number
}

interface StatusPart {
  readonly name:
    | 'activity'
    | 'beside'
    | 'background'
    | 'vim'
    | 'mode'
    | 'awaited'
    | 'model'
    | 'folder'
    | 'context'
    | 'cost'
    | 'tokens'
    | 'hook'
  readonly text: string
}

/**
 * `● writing 12 s · offline · shop (main) · context 4% · $0.0031 · 1.2k tokens · hook lint`. Tokens and hooks are left out where there is no room; all
 * others are shortened, and stand in two lines on a narrow screen.
 */
export function statusLines(
  state: ChatState,
  { hooks = [], now = 0, width = Infinity, rows = Infinity }: StatusView = {},
): readonly string[] {
  const count = statusRows(width, rows)
  let parts = statusParts(state, hooks, now)
  for (const shorten of shorter) {
    if (isRoom(parts, width, count)) break
    parts = shorten(parts)
  }
  return packed(parts, width)
    .slice(0, count)
    .map(line => cutText(line, width))
}

function statusParts(state: ChatState, hooks: readonly string[], now: number): readonly StatusPart[] {
  const { model, tokens, context, questions, mode, folder, running, editor } = state
  const parts: readonly StatusPart[] = [
    { name: 'activity', text: running ? activityText(state, questions.length > 0, now) : '' },
    { name: 'beside', text: besideText(state) },
    { name: 'background', text: state.background ? `${state.background} in background` : '' },
    { name: 'vim', text: editor.vim?.mode === 'normal' ? 'NORMAL' : '' },
    { name: 'mode', text: mode === 'ask' ? '' : mode },
    { name: 'awaited', text: state.awaited },
    { name: 'model', text: model },
    { name: 'folder', text: cutFolder(24)(oneLine(folder, 200)) },
    { name: 'context', text: context ? `context ${contextText(context, model)}` : '' },
    { name: 'cost', text: formatCost(state) },
    { name: 'tokens', text: `${formatCount(tokens)} tokens` },
    { name: 'hook', text: running && hooks.length ? `hook ${hooks.join(', ')}` : '' },
  ]
  return parts.filter(({ text }) => text)
}

type Shorten = (parts: readonly StatusPart[]) => readonly StatusPart[]

const without =
  (gone: StatusPart['name']): Shorten =>
  parts =>
    parts.filter(({ name }) => name !== gone)
const change =
  (changed: StatusPart['name'], shortened: (text: string) => string): Shorten =>
  parts =>
    parts.map(part => (part.name === changed ? { name: changed, text: shortened(part.text) } : part))

/** A folder and its branch, each of at most so many columns. */
const cutFolder = (columns: number) => (folder: string) => {
  const [, name = folder, branch] = /^(.*) \((.*)\)$/.exec(folder) ?? []
  return branch === undefined ? cutText(name, columns) : `${cutText(name, columns)} (${cutText(branch, columns)})`
}

/** What happens, its name in at most so many columns; the time behind it stays. */
const cutActivity = (columns: number) => (text: string) => {
  const [, name = text, time = ''] = /^(.*?)( \d+ (?:s|min)\b.*)?$/.exec(text) ?? []
  return `${cutText(name, columns)}${time}`
}

/** How the status becomes shorter, in the order in which that is done. */
const shorter: readonly Shorten[] = [
  without('tokens'),
  change('model', model => model.slice(model.lastIndexOf('/') + 1)),
  change('context', text => text.replace(/^context /, '')),
  change('folder', cutFolder(12)),
  without('hook'),
  change('activity', cutActivity(24)),
  change('beside', text => cutText(text, 24)),
  change('background', text => text.replace('background', 'bg')),
  change('awaited', text => cutText(text, 16)),
  change('model', text => cutText(text, 16)),
  change('folder', cutFolder(7)),
  change('mode', text => text.replace('accept ', '')),
  change('activity', text => text.replace(/ \(attempt \d+\)$/, '')),
  change('model', text => cutText(text, 9)),
  change('activity', cutActivity(12)),
  change('activity', text => text.replace(/( min) \d+ s$/, '$1')),
  change('beside', text => cutText(text, 12)),
  // More at once than most people ever have: each keeps a few letters, so that context and cost stay.
  change('vim', () => 'N'),
  change('background', text => text.replace(' in ', ' ')),
  change('activity', text => text.replace('waiting for you', 'asks')),
  change('activity', cutActivity(9)),
  change('beside', text => cutText(text, 6)),
  change('folder', cutFolder(4)),
  change('model', text => cutText(text, 6)),
  change('awaited', text => cutText(text, 8)),
]

/** The parts in lines, as many in each as there is room for. */
function packed(parts: readonly StatusPart[], width: number): readonly string[] {
  const lines: string[] = []
  for (const { text } of parts) {
    const joined = lines.length ? `${lines.at(-1)} · ${text}` : text
    if (lines.length && textColumns(joined) <= width) lines[lines.length - 1] = joined
    else lines.push(text)
  }
  return lines
}
const isRoom = (parts: readonly StatusPart[], width: number, count: number): boolean => {
  const lines = packed(parts, width)
  return lines.length <= count && lines.every(line => textColumns(line) <= width)
}

/** Work beside turns, with the key that ends it where that is not the turn's. */
function besideText({ beside, running }: ChatState): string {
  if (!beside.length) return ''
  const names = oneLine(beside.map(({ name }) => name).join(', '), 32)
  return `● ${names}${running ? '' : ' (Ctrl-C stops)'}`
}

/** What happens, and for how long; while a call is to be tried again, when. */
function activityText({ activity, startedAt, retry }: ChatState, asking: boolean, now: number): string {
  if (asking) return '● waiting for you'
  if (retry) return `● again in ${Math.max(0, Math.ceil((retry.until - now) / 1000))} s (attempt ${retry.attempt + 1})`
  const spent = startedAt && now > startedAt + 1000 ? ` ${formatDuration(now - startedAt, 'whole')}` : ''
  return activity ? `● ${activity}${spent}` : ''
}

/** In per cent of what the model can hold, where that is known. */
function contextText(tokens: number, model: string): string {
  const window = contextWindow(model)
  return window ? `${Math.max(1, Math.round((tokens / window) * 100))}%` : formatCount(tokens)
}

/** Placeholder of an empty input. */
export const inputHint = (state: Pick<ChatState, 'running' | 'queue' | 'view'>): string =>
  state.running
    ? `Enter says it now · ${hasToTakeBack(state) ? '↑ takes the last one back' : 'Alt-Enter after this turn'} · Esc Esc stops`
    : 'Say something, or /help'
