import type { Conversation } from 'turnbuckle'
import type { ComposedAgent } from '../compose/compose-agent.ts'
import { type HookNews, watchHooks } from '../compose/watch-hooks.ts'
import { hasColours } from '../text/styled.ts'
import { ChatSession, isAllowed } from './chat-session.ts'
import { endWithTerminal } from './end-with-terminal.ts'
import { HeldTerminal } from './held-terminal.ts'
import { InputHistory } from './input/input-history.ts'
import { KeyReader } from './input/key-reader.ts'
import { Keyboard } from './input/keyboard.ts'
import { firstScreen } from './screen/first-screen.ts'
import { loadMarkdown } from './screen/render-markdown.ts'

const clearScreen = '\x1b[2J\x1b[3J\x1b[H'

/** The chat on a terminal, until the person leaves. The terminal is restored whatever happens. */
export async function startChat(composed: ComposedAgent, conversation: Conversation): Promise<number> {
  const session = new ChatSession(composed, conversation)
  const keyboard = new Keyboard(session, new InputHistory(composed.loaded.home))
  if (composed.loaded.user.vim) keyboard.edit({ ...session.state.editor, vim: { mode: 'insert' } })
  const reader = new KeyReader(key => keyboard.press(key))
  const terminal = new HeldTerminal(session, chunk => reader.read(chunk))
  session.terminal = terminal
  const left = new Promise<number>(resolve => {
    terminal.leave = () => resolve(0)
    process.once('SIGTERM', () => resolve(143))
  })
  endWithTerminal(session)
  terminal.hold()
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
  terminal.drawn = { clear: () => screen.clear(), redraw: () => session.set({}) }
  void loadMarkdown().then(() => session.set({}))
  const unwatch = watchHooks(composed, hookNews(session))
  const code = await left
  unwatch()
  for (const end of session.ownCommands) end()
  if (session.turn && !session.turn.ended) {
    session.interrupt('the person left')
    await session.turn.settled
  }
  screen.unmount()
  terminal.release()
  const { id, tree } = session.conversation
  if (tree.length) process.stdout.write(`Go on later: turnbuckle chat --conversation ${id}\n`)
  return code
}

/** Notices and questions about hook modules that were saved. */
const hookNews = (session: ChatSession): HookNews => ({
  idle: () => session.idle(),
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
