import type { Conversation } from 'turnbuckle'
import type { ComposedAgent } from '../compose/compose-agent.ts'
import { type HookNews, watchHooks } from '../compose/watch-hooks.ts'
import { hasColours } from '../text/styled.ts'
import { ChatSession, isAllowed } from './chat-session.ts'
import { InputHistory } from './input/input-history.ts'
import { KeyReader } from './input/key-reader.ts'
import { Keyboard } from './input/keyboard.ts'
import { firstScreen } from './screen/first-screen.ts'
import { loadMarkdown } from './screen/render-markdown.ts'

const clearScreen = '\x1b[2J\x1b[3J\x1b[H'
const pasteOn = '\x1b[?2004h'
/** Paste marks off, cursor shown. */
const restore = '\x1b[?2004l\x1b[?25h'

/** The chat on a terminal, until the person leaves. The terminal is restored whatever happens. */
export async function startChat(composed: ComposedAgent, conversation: Conversation): Promise<number> {
  // Notes for developers on stderr would be written across the screen, which shows failed hooks as events.
  process.env.NODE_ENV ??= 'production'
  const session = new ChatSession(composed, conversation)
  const keyboard = new Keyboard(session, new InputHistory(composed.loaded.home))
  const left = new Promise<number>(resolve => {
    session.leave = () => resolve(0)
    process.once('SIGTERM', () => resolve(143))
  })
  // SIGHUP: the terminal is gone. The log has the turn, and --continue offers to resume it.
  process.once('SIGHUP', () => process.exit(129))
  const reader = new KeyReader(key => keyboard.press(key))
  const release = holdTerminal(chunk => reader.read(chunk))
  // Recorded messages are printed once, so the Markdown renderer is waited for; an empty chat does not wait.
  if (conversation.messages.length) await Promise.all([loadMarkdown(), session.readQueue()])
  session.begin()
  let { epoch } = session.state
  session.subscribe(() => {
    if (session.state.epoch === epoch) return
    epoch = session.state.epoch
    process.stdout.write(clearScreen)
  })
  const clear = firstScreen(session)
  const { drawChat } = await loadScreen()
  clear()
  const screen = drawChat(session)
  void loadMarkdown().then(() => session.set({}))
  const unwatch = watchHooks(composed, hookNews(session))
  const code = await left
  unwatch()
  if (session.turn && !session.turn.ended) {
    session.interrupt('the person left')
    await session.turn.settled
  }
  screen.unmount()
  release()
  const { id, tree } = session.conversation
  if (tree.length) process.stdout.write(`Go on later: turnbuckle chat --conversation ${id}\n`)
  return code
}

/** Notices and questions about hook modules that were saved. */
const hookNews = (session: ChatSession): HookNews => ({
  trust: ({ name, does, hash }) =>
    new Promise(resolve =>
      session.ask(
        {
          kind: 'yes-no',
          title: `${name} has changed`,
          body: `${does} (${hash.slice(0, 12)})\nTrust exactly this content, and use it?`,
        },
        given => resolve(isAllowed(given)),
      ),
    ),
  reloaded(use) {
    session.refresh()
    session.say(`${use} was saved, and is in force from the next stage on.`)
  },
  kept: (use, why) => session.say(`${use} was saved, but the old one stays: ${why}`, 'warn'),
})

/**
 * Ink decides once, when it is loaded, whether it draws: a person sits here, whatever `CI` says. The environment is put
 * back, as commands that tools run inherit it.
 */
async function loadScreen(): Promise<typeof import('./screen/draw-chat.tsx')> {
  const { CI } = process.env
  if (!hasColours()) process.env.FORCE_COLOR = '0'
  process.env.CI = '0'
  try {
    return await import('./screen/draw-chat.tsx')
  } finally {
    if (CI === undefined) delete process.env.CI
    else process.env.CI = CI
  }
}

/** Puts the terminal into raw mode, so that each key comes as it is pressed. Returns how to give it back. */
function holdTerminal(onData: (chunk: string) => void): () => void {
  const { stdin, stdout } = process
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  stdin.on('data', onData)
  stdin.resume()
  stdout.write(pasteOn)
  const giveBack = () => {
    stdout.write(restore)
    if (stdin.isTTY) stdin.setRawMode(false)
  }
  process.once('exit', giveBack)
  return () => {
    process.off('exit', giveBack)
    giveBack()
    stdin.off('data', onData)
    stdin.pause()
  }
}
