import { Box, type Instance, render, Static, Text, type TextProps, useStdout } from 'ink'
import { type ReactElement, useEffect, useState, useSyncExternalStore } from 'react'
import type { ChatSession } from '../chat-session.ts'
import { firstCharacter } from '../input/characters.ts'
import type { ChatState, TreeWalk } from '../transcript/chat-state.ts'
import type { Question } from '../transcript/question.ts'
import { type ChoiceLine, menuLines, pickerLines } from './choice-lines.ts'
import type { FittedQuestion } from './fit-question.ts'
import { Diff, ItemView } from './item-view.tsx'
import { layoutScreen, type ScreenLayout } from './layout-screen.ts'
import { inputHint, statusLine } from './status-line.ts'

/** Draws the chat from now on. Keys are read elsewhere. */
export const drawChat = (session: ChatSession): Instance =>
  render(<App session={session} />, { exitOnCtrlC: false, patchConsole: false })

/** The whole chat: what was said above, what happens below it, then questions, input and status. */
function App({ session }: { readonly session: ChatSession }): ReactElement {
  const state = useSyncExternalStore(session.subscribe, () => session.state)
  const { columns, rows } = useSize()
  const now = useNow(state.running)
  const layout = layoutScreen(state, columns, rows)
  const { width, live, more } = layout
  const [question] = state.questions
  const view = { width, height: layout.reply, now, unfolded: state.unfolded }
  return (
    <Box flexDirection="column">
      <Static key={state.epoch} items={[...state.past]}>
        {item => <ItemView key={item.id} item={item} {...view} settled={true} />}
      </Static>
      {more > 0 && <Text dimColor>{`… ${more} more`}</Text>}
      {live.map(item => (
        <ItemView key={item.id} item={item} {...view} settled={false} />
      ))}
      {state.tree && <TreeView tree={state.tree} height={layout.tree} />}
      {question && layout.question && <QuestionView question={question} fitted={layout.question} width={width} />}
      {state.picker && <Choices lines={pickerLines(state.picker, layout.tree, width)} />}
      {!state.tree && !state.picker && <Input state={state} layout={layout} />}
      <Status line={statusLine(state, session.composed.traces.running.names)} width={width} />
    </Box>
  )
}

function useSize(): { readonly columns: number; readonly rows: number } {
  const { stdout } = useStdout()
  const [size, setSize] = useState({ columns: stdout.columns || 80, rows: stdout.rows || 24 })
  useEffect(() => {
    const changed = () => setSize({ columns: stdout.columns || 80, rows: stdout.rows || 24 })
    stdout.on('resize', changed)
    return () => void stdout.off('resize', changed)
  }, [stdout])
  return size
}

/** The time, moving while something runs. */
function useNow(running: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => setNow(Date.now()), 120)
    return () => clearInterval(timer)
  }, [running])
  return now
}

interface QuestionProps {
  readonly question: Question
  readonly fitted: FittedQuestion
  readonly width: number
}

function QuestionView({ question: { diff, help }, fitted, width }: QuestionProps): ReactElement {
  const { title, body, pattern, problem, keys } = fitted
  return (
    <Box flexDirection="column" borderStyle="round" borderColor="yellow" paddingX={1} marginTop={1} width={width}>
      <Lines lines={title} bold color="yellow" />
      <Lines lines={body} />
      {diff !== undefined && <Diff text={diff} lines={fitted.diff} rest={false} />}
      {fitted.more > 0 && <Text dimColor>{`… ${fitted.more} more lines, see above`}</Text>}
      <Lines lines={pattern} dimColor />
      <Lines lines={problem} color="red" />
      <Lines lines={keys} dimColor={!help} />
    </Box>
  )
}

/** Lines that fit, one each. */
function Lines({ lines, ...style }: TextProps & { readonly lines: readonly string[] }): ReactElement[] {
  return lines.map((line, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text that does not change
    <Text key={i} wrap="truncate" {...style}>
      {line || ' '}
    </Text>
  ))
}

function Input({ state, layout }: { readonly state: ChatState; readonly layout: ScreenLayout }): ReactElement {
  const { width, queue, queued } = layout
  const { editor, above, below: rest } = layout.written
  const { running, questions, hint } = state
  const [question] = questions
  const before = editor.text.slice(0, editor.cursor)
  const under = firstCharacter(editor.text.slice(editor.cursor)) || ' '
  const cursor = under === '\n' ? ' \n' : under
  const after = editor.text.slice(editor.cursor + (editor.cursor < editor.text.length ? under.length : 0))
  const left = [above ? `${above} lines above` : '', rest ? `${rest} below` : ''].filter(Boolean).join(', ')
  const below = hint || left
  return (
    <Box flexDirection="column" marginTop={1} width={width}>
      {queue.map((text, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a queue, in order
        <Text key={i} dimColor wrap="truncate">{`⧗ ${text}`}</Text>
      ))}
      {queued > 0 && <Text dimColor>{queue.length ? `  … ${queued} more` : `⧗ ${queued} for after this turn`}</Text>}
      <Box>
        <Text color={running ? 'yellow' : 'cyan'}>{'❯ '}</Text>
        <Box width={width - 2}>
          <Text>
            {before}
            <Text inverse>{cursor}</Text>
            {after}
            {editor.text === '' && !question && <Text dimColor>{` ${inputHint(running)}`}</Text>}
          </Text>
        </Box>
      </Box>
      {below !== '' && (
        <Text dimColor wrap="truncate">
          {below}
        </Text>
      )}
      {state.menu && <Choices lines={menuLines(state.menu, layout.menu, width)} />}
    </Box>
  )
}

/** Lines to choose from, the chosen one in reverse. */
function Choices({ lines }: { readonly lines: readonly ChoiceLine[] }): ReactElement {
  return (
    <Box flexDirection="column">
      {lines.map(({ text, chosen }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of the screen
        <Text key={i} wrap="truncate" inverse={chosen} dimColor={!chosen}>
          {text}
        </Text>
      ))}
    </Box>
  )
}

function Status({ line, width }: { readonly line: string; readonly width: number }): ReactElement {
  return (
    <Box width={width}>
      <Text dimColor wrap="truncate">
        {line}
      </Text>
    </Box>
  )
}

function TreeView({ tree: { lines, at }, height }: { readonly tree: TreeWalk; readonly height: number }): ReactElement {
  const from = Math.max(0, Math.min(at - Math.floor(height / 2), lines.length - height))
  return (
    <Box flexDirection="column" marginTop={1}>
      {lines.slice(from, from + height).map(({ id, text, onPath, isHead }, i) => (
        <Text key={id} wrap="truncate" inverse={from + i === at} dimColor={!onPath}>
          {`${isHead ? '●' : ' '} ${text}`}
        </Text>
      ))}
      <Text dimColor>↑ ↓ walk · Enter goes on from there · Esc closes</Text>
    </Box>
  )
}
