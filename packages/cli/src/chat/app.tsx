import { Box, type Instance, render, Static, Text, useStdout } from 'ink'
import { type ReactElement, useEffect, useState, useSyncExternalStore } from 'react'
import { keyLines, permissionHelp } from './answer-keys.ts'
import { type InputWindow, inputWindow } from './input-window.ts'
import { Diff, ItemView } from './items.tsx'
import { fitQuestion, newestThatFit, questionRoom } from './room.ts'
import type { ChatSession } from './session.ts'
import { slashCommands } from './slash-commands.ts'
import type { ChatState, Question, TreeWalk } from './state.ts'
import { inputHint, statusLine } from './status-line.ts'

/** Draws the chat from now on. Keys are read elsewhere. */
export const draw = (session: ChatSession): Instance =>
  render(<App session={session} />, { exitOnCtrlC: false, patchConsole: false })

/** The whole chat: what was said above, what happens below it, then questions, input and status. */
function App({ session }: { readonly session: ChatSession }): ReactElement {
  const state = useSyncExternalStore(session.subscribe, () => session.state)
  const { columns, rows } = useSize()
  const now = useNow(state.running)
  const width = Math.max(20, Math.min(100, columns - 1))
  const [question] = state.questions
  const written = inputWindow(state.editor, width - 3, question ? 3 : Math.max(3, Math.floor(rows / 3)))
  const height = Math.max(4, rows - 9 - written.lines)
  const view = { width, height, now, unfolded: state.unfolded }
  const [live, more] = newestThatFit(state.live, besideQuestion(state, rows, width) ?? height, width)
  return (
    <Box flexDirection="column">
      <Static key={state.epoch} items={[...state.past]}>
        {item => <ItemView key={item.id} item={item} {...view} settled={true} />}
      </Static>
      {more > 0 && <Text dimColor>{`… ${more} more`}</Text>}
      {live.map(item => (
        <ItemView key={item.id} item={item} {...view} settled={false} />
      ))}
      {state.tree && <TreeView tree={state.tree} height={height} />}
      {question && !state.tree && (
        <QuestionView
          question={question}
          more={state.questions.length - 1}
          width={width}
          room={questionRoom(rows, width)}
        />
      )}
      {!state.tree && <Input state={state} written={written} width={width} />}
      <Status line={statusLine(state, session.composed.traces.running.names)} width={width} />
    </Box>
  )
}

/** Lines for what still changes, where a question or the tree needs the rest of the screen. */
function besideQuestion({ questions: [question], tree }: ChatState, rows: number, width: number): number | undefined {
  if (tree || question?.help) return 3
  if (!question) return undefined
  const { body, diff } = fitQuestion(question, questionRoom(rows, width), width - 4)
  return Math.max(3, rows - (width < 60 ? 15 : 13) - body.length - diff)
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

const asked = {
  reason: 'Why not? Enter sends it, also empty; Esc goes back',
  args: 'Change the arguments; Enter runs it with them, Esc goes back',
}

function QuestionView({
  question,
  more,
  width,
  room,
}: {
  readonly question: Question
  readonly more: number
  readonly width: number
  /** Lines for what is asked about. */
  readonly room: number
}): ReactElement {
  const { title, diff, pattern, writing, help, problem } = question
  const fitted = fitQuestion(question, help ? 2 : room, width - 4)
  const below = writing ? [asked[writing]] : help ? permissionHelp(width) : keyLines(question, width)
  return (
    <Box flexDirection="column" borderStyle="round" borderColor="yellow" paddingX={1} marginTop={1} width={width}>
      <Text bold color="yellow">
        {title}
        {more > 0 ? ` (${more} more after this)` : ''}
      </Text>
      {fitted.body.map((line, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text that does not change
        <Text key={i} wrap="truncate">
          {line || ' '}
        </Text>
      ))}
      {diff !== undefined && <Diff text={diff} lines={fitted.diff} rest={false} />}
      {fitted.more > 0 && !help && <Text dimColor>{`… ${fitted.more} more lines, all of it is above`}</Text>}
      {pattern !== undefined && <Text dimColor>{`For longer than once it covers: ${pattern}`}</Text>}
      {problem !== undefined && <Text color="red">{problem}</Text>}
      {below.map(line => (
        <Text key={line} dimColor={!help}>
          {line}
        </Text>
      ))}
    </Box>
  )
}

interface InputProps {
  readonly state: ChatState
  readonly written: InputWindow
  readonly width: number
}

function Input({ state, written: { editor, above, below: rest }, width }: InputProps): ReactElement {
  const { running, questions, queue, hint } = state
  const [question] = questions
  const before = editor.text.slice(0, editor.cursor)
  const under = [...editor.text.slice(editor.cursor)][0] ?? ' '
  const cursor = under === '\n' ? ' \n' : under
  const after = editor.text.slice(editor.cursor + (editor.cursor < editor.text.length ? under.length : 0))
  const matches = /^\/[a-z]*$/.test(editor.text) ? slashCommands.filter(({ name }) => name.startsWith(editor.text)) : []
  const left = [above ? `${above} lines above` : '', rest ? `${rest} below` : ''].filter(Boolean).join(', ')
  const below =
    hint ||
    left ||
    matches
      .slice(0, 6)
      .map(({ name, does }) => `${name} ${does}`)
      .join(' · ')
  return (
    <Box flexDirection="column" marginTop={1} width={width}>
      {queue.map((text, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a queue, in order
        <Text key={i} dimColor wrap="truncate">{`⧗ ${text}`}</Text>
      ))}
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
