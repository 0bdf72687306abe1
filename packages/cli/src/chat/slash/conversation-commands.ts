import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { exportConversation } from 'turnbuckle/stores'
import { formatCount, formatMoney } from '../../text/format-count.ts'
import { ownWords, toldBesides } from '../../text/own-words.ts'
import type { ChatSession } from '../session/chat-session.ts'
import type { ChatState } from '../transcript/chat-state.ts'
import { compactCommand } from './compact-command.ts'
import { resumeCommand } from './resume-command.ts'
import type { SlashCommand } from './slash-command.ts'
import { undoCommand } from './undo-command.ts'

/** Commands about what is being said. */
export const conversationCommands: readonly SlashCommand[] = [
  {
    name: '/clear',
    usage: '',
    does: 'a new conversation on a clear screen',
    refusedWhileRunning: 'here',
    run(session) {
      return session.open(session.composed.agent.conversation())
    },
  },
  resumeCommand,
  compactCommand,
  undoCommand,
  {
    name: '/save',
    usage: '[TITLE]',
    does: 'names it; everything is kept anyway',
    refusedWhileRunning: 'never',
    async run(session, title) {
      if (!session.conversation.tree.length) return session.say('Nothing was said yet.')
      await entitle(session, title)
      session.say(
        `Kept as ${session.conversation.id}. Go on later: turnbuckle chat --conversation ${session.conversation.id}`,
      )
    },
  },
  {
    name: '/title',
    usage: '[TITLE]',
    does: 'shows or sets the title',
    refusedWhileRunning: 'never',
    async run(session, title) {
      await entitle(session, title)
      session.say(session.conversation.title ?? 'No title yet: /title TITLE')
    },
  },
  {
    name: '/cost',
    usage: '',
    does: 'tokens and money so far',
    refusedWhileRunning: 'never',
    run({ state, say }) {
      const { tokens, context } = state
      say(
        `${formatCount(tokens)} tokens in this conversation, ${costText(state)}; the last prompt had ${formatCount(context)}.`,
      )
    },
  },
  {
    name: '/reasoning',
    usage: '',
    does: 'shows thoughts in full, or folds them (Ctrl-T)',
    refusedWhileRunning: 'never',
    run(session) {
      session.toggleReasoning()
    },
  },
  {
    name: '/retry',
    usage: '',
    does: 'the last message again, on a branch of its own',
    refusedWhileRunning: 'always',
    run(session) {
      const { messages } = session.conversation
      const last = messages.findLastIndex(({ role }) => role === 'user')
      const message = messages[last]
      if (!message) return session.say('There is nothing to try again.')
      session.conversation = session.conversation.fork(messages[last - 1]?.id ?? null)
      session.redraw()
      session.tellAgain(toldBesides(message))
      session.send(ownWords(message))
    },
  },
  {
    name: '/continue',
    usage: '',
    does: 'goes on with a turn that did not end',
    refusedWhileRunning: 'always',
    run(session) {
      if (session.conversation.unfinished.length) session.resume()
      else session.send('Go on.')
    },
  },
  {
    name: '/export',
    usage: '[md|json] [FILE]',
    does: 'writes the conversation to a file',
    refusedWhileRunning: 'never',
    async run(session, rest) {
      const [format = 'md', file] = rest.split(/\s+/).filter(Boolean)
      if (format !== 'md' && format !== 'json') return session.say('/export md or /export json', 'warn')
      const { conversation } = session
      if (!conversation.messages.length) return session.say('Nothing was said yet.')
      const name = file ?? `${conversation.id}.${format}`
      const path = resolve(session.composed.loaded.root, name)
      const text = await exportConversation(session.composed.store, conversation.id, format)
      await writeFile(path, text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'EEXIST' ? new Error(`There is a ${name} already: choose another name.`) : error
      })
      session.say(`Written to ${path}`)
    },
  },
  {
    name: '/quit',
    usage: '',
    does: 'leaves',
    refusedWhileRunning: 'never',
    run(session) {
      session.terminal.leave()
    },
  },
]

async function entitle({ conversation }: ChatSession, title: string): Promise<void> {
  if (!title) return
  conversation.title = title
  await conversation.kept()
}

/** A model without a price, or a call that was cut off, makes the sum a lower bound; without any price there is none. */
function costText({ cost, isCostPartial }: ChatState): string {
  const money = formatMoney(cost)
  if (!isCostPartial) return money || 'no cost'
  return money
    ? `${money} and more: a call that was cut off, or a model without a price, is not in it`
    : 'the price of the model is not known'
}
