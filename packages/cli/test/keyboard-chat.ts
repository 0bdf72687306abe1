import { vi } from 'vitest'
import type { InputHistory } from '../src/chat/editor/input-history.ts'
import { typingMs } from '../src/chat/input/held-letter.ts'
import type { KeyPress } from '../src/chat/input/key-press.ts'
import { Keyboard } from '../src/chat/input/keyboard.ts'
import type { ChatSession } from '../src/chat/session/chat-session.ts'
import { type ChatState, closeQuestion, emptyChatState } from '../src/chat/transcript/chat-state.ts'
import type { Question } from '../src/chat/transcript/question.ts'

/** A question whether a command may run. */
export const question: Question = {
  id: 'r1',
  kind: 'permission',
  title: '',
  body: '',
  args: { command: 'ls' },
  argument: 'command',
  scopes: ['once', 'conversation', 'project', 'always'],
  deniable: true,
}

export interface KeyboardChat {
  readonly keyboard: Keyboard
  /** What was answered, said and done. */
  readonly heard: readonly unknown[]
  readonly session: Pick<ChatSession, 'state' | 'set' | 'conversation'> & { isWorking: boolean; isFollowing: boolean }
  press(name: KeyPress['name'], text?: string): void
  type(text: string): void
  enter(): void
  esc(): void
  ctrl(letter: string): void
  later(ms: number): void
  /** A letter, and the pause that makes it an answer. */
  answer(letter: string): void
  ask(more?: Partial<Question>): void
  written(): string
}

/** What the keyboard needs of an agent: one without a project, and without commands. */
const composed = {
  loaded: { root: '/nowhere', home: '/nowhere', user: {}, project: {} },
  background: { all: [], send: () => [] },
  fileVersions: { writingTurns: async () => [] },
}

/** A keyboard at a chat in which something runs, under fake timers. */
export function keyboardChat(state: Partial<ChatState> = {}): KeyboardChat {
  const heard: unknown[] = []
  const listeners: (() => void)[] = []
  const session = {
    state: { ...emptyChatState, running: true, ...state } as ChatState,
    isWorking: true,
    isFollowing: false,
    conversation: { messages: [], tree: [] } as unknown as ChatSession['conversation'],
    composed,
    subscribe: (listener: () => void) => listeners.push(listener),
    set(change: Partial<ChatState> | ((state: ChatState) => ChatState)) {
      session.state = typeof change === 'function' ? change(session.state) : { ...session.state, ...change }
      for (const listener of listeners) listener()
    },
    change(_: Question, change: Partial<Question>) {
      session.set({ questions: session.state.questions.map(one => ({ ...one, ...change })) })
    },
    answer({ id }: Question, answer: unknown) {
      heard.push(answer)
      session.set(now => closeQuestion(now, id))
    },
    expire: ({ id }: Question) => {
      heard.push('expired')
      session.set(now => closeQuestion(now, id))
    },
    takeBack: () => session.state.queue.at(-1),
    send: (text: string) => heard.push(`said ${text}`),
    queue: (text: string) => heard.push(`later ${text}`),
    interrupt: (by: string) => {
      heard.push(by)
      session.isWorking = false
    },
    terminal: { leave: () => heard.push('left') },
  }
  let now = 0
  const history = { add() {}, step: () => 'an old line', lines: ['npm test', 'git log', 'npm run build'] }
  const keyboard = new Keyboard(session as unknown as ChatSession, history as unknown as InputHistory, () => now)
  const press = (name: KeyPress['name'], text = '') => keyboard.press({ name, text })
  return {
    keyboard,
    heard,
    session,
    press,
    type: (text: string) => press('text', text),
    enter: () => press('enter', '\r'),
    esc: () => press('escape'),
    ctrl: (letter: string) => press('ctrl', letter),
    later: (ms: number) => {
      now += ms
      vi.advanceTimersByTime(ms)
    },
    answer: (letter: string) => {
      press('text', letter)
      vi.advanceTimersByTime(typingMs)
    },
    ask: (more: Partial<Question> = {}) => session.set({ questions: [{ ...question, ...more }] }),
    written: () => session.state.editor.text,
  }
}
