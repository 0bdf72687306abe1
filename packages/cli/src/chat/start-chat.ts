import type { Conversation } from 'turnbuckle'
import type { ComposedAgent } from '../compose/compose-agent.ts'
import { type HookNews, watchHooks } from '../compose/watch-hooks.ts'
import { printLine, sendToTerminal } from '../text/print.ts'
import { ChatSession, isAllowed } from './chat-session.ts'
import { InputHistory } from './input/input-history.ts'
import { KeyReader } from './input/key-reader.ts'
import { Keyboard } from './input/keyboard.ts'
import { loadMarkdown } from './markdown/render-markdown.ts'
import { drawChat } from './screen/draw-chat.ts'

const pasteOn = '\x1b[?2004h'
/** Paste marks off, cursor shown. */
const restore = '\x1b[?2004l\x1b[?25h'

/** The chat on a terminal, until the person leaves. The terminal is restored whatever happens. */
export async function startChat(composed: ComposedAgent, conversation: Conversation): Promise<number> {
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
  if (conversation.head !== undefined) await session.readQueue()
  await session.begin()
  // Recorded messages are printed once, so what draws them is waited for; an empty chat does not wait.
  if (conversation.head !== undefined) await loadMarkdown()
  const screen = drawChat(session)
  const unwatch = watchHooks(composed, hookNews(session))
  const code = await left
  unwatch()
  if (session.turn && !session.turn.ended) {
    session.interrupt('the person left')
    await session.turn.settled
  }
  screen.close()
  release()
  const { id, head } = session.conversation
  if (head !== undefined) printLine(`\nGo on later: turnbuckle chat --conversation ${id}`)
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

/** Puts the terminal into raw mode, so that each key comes as it is pressed. Returns how to give it back. */
function holdTerminal(onData: (chunk: string) => void): () => void {
  const { stdin } = process
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  stdin.on('data', onData)
  stdin.resume()
  sendToTerminal(pasteOn)
  const giveBack = () => {
    sendToTerminal(restore)
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
