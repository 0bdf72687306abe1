import { basename } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { Place, type Size, Terminal } from './terminal.ts'

/** What an empty input says. */
export const prompt = 'Say something, or /help'
/** A tool that runs. */
export const running = (name: string): RegExp => new RegExp(`[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] ${name}`)

export interface Chats {
  readonly place: Place
  /** The program in a terminal, as far as it has come. */
  open(args?: readonly string[], size?: Size): Terminal
  /** At its first prompt. */
  start(args?: readonly string[], size?: Size): Promise<Terminal>
  /** A screen without what differs from run to run. */
  steady(screen: string): string
}

/** A place for each test, and chats in it that end with the test. */
export function chatting(): Chats {
  let place: Place
  let open: Terminal[] = []
  beforeEach(() => {
    place = new Place()
  })
  afterEach(() => {
    for (const terminal of open) terminal[Symbol.dispose]()
    open = []
    place[Symbol.dispose]()
  })
  const chats: Chats = {
    get place() {
      return place
    },
    open(args = [], size = {}) {
      const chat = ['chat', ...(args.includes('--model') ? [] : ['--model', 'offline']), ...args]
      const terminal = new Terminal(place, size.shell ? args : chat, size)
      open.push(terminal)
      return terminal
    },
    async start(args, size) {
      const terminal = chats.open(args, size)
      await terminal.see('Say something')
      return terminal
    },
    steady: screen =>
      screen
        .replaceAll(place.project, '/project')
        .replaceAll(basename(place.project), 'project')
        .replace(/ *\b\d+(\.\d+)? (ms|s)\b/g, '  TIME')
        .replace(/\d+(\.\d+)?k/g, 'COUNT')
        .replace(/\b(conv|grant|turn)_[\w-]+/g, '$1_ID')
        .replace(/ +$/gm, ''),
  }
  return chats
}

/** Says something, and waits until the answer is there and the chat is at rest. */
export async function say(terminal: Terminal, text: string, answer: string): Promise<string> {
  terminal.type(`${text}\r`)
  await terminal.see(answer)
  return terminal.see(prompt)
}

/** Milliseconds in which a question is deaf after it has appeared, and a few more. */
export const deafMs = 450

/** Waits until a question is shown and hears keys. */
export async function asked(terminal: Terminal, text: string | RegExp): Promise<string> {
  await terminal.see(text)
  await new Promise(resolve => setTimeout(resolve, deafMs))
  return terminal.text()
}
