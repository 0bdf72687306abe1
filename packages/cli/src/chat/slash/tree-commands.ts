import { textOf } from 'turnbuckle'
import { drawTree } from '../../text/draw-tree.ts'
import { oneLine } from '../../text/one-line.ts'
import { isAllowed } from '../session/is-allowed.ts'
import { goBefore, goToMessage } from './go-to-message.ts'
import type { SlashCommand } from './slash-command.ts'

/** Commands that move about in the tree. */
export const treeCommands: readonly SlashCommand[] = [
  {
    name: '/tree',
    usage: '',
    does: 'every branch: ↑ ↓ walk, Enter goes on from there',
    refusedWhileRunning: 'always',
    run(session) {
      const { tree, head } = session.conversation
      const lines = drawTree(tree, head, (process.stdout.columns ?? 80) - 4)
      if (!lines.length) return session.say('Nothing was said yet.')
      session.set({
        tree: {
          lines,
          at: Math.max(
            0,
            lines.findIndex(({ isHead }) => isHead),
          ),
        },
      })
    },
  },
  {
    name: '/fork',
    usage: '',
    does: 'before your last message, which is in the input again',
    refusedWhileRunning: 'always',
    run(session) {
      const { messages } = session.conversation
      const last = messages.findLastIndex(({ role }) => role === 'user')
      const message = messages[last]
      if (!message) return session.say('Nothing was said yet.')
      goBefore(session, { parentId: messages[last - 1]?.id, message }, 'your last message')
    },
  },
  {
    name: '/branch',
    usage: '[NUMBER]',
    does: 'lists the branches, or goes to one',
    refusedWhileRunning: 'with an argument',
    run(session, wanted) {
      const { tree, head } = session.conversation
      const parents = new Set(tree.map(({ parentId }) => parentId))
      const tips = tree.filter(({ id }) => !parents.has(id))
      if (!wanted)
        return session.say(
          tips
            .map(
              ({ id, message }, i) =>
                `${id === head ? '●' : ' '} ${i + 1}  ${oneLine(textOf(message) || message.role, 60)}`,
            )
            .join('\n') || 'Nothing was said yet.',
        )
      const tip = tips[Number(wanted) - 1]
      if (!tip) return session.say(`There is no branch ${wanted}: /branch lists them.`, 'warn')
      void goToMessage(session, tip.id)
    },
  },
  {
    name: '/rewind',
    usage: '[MESSAGES]',
    does: 'goes back; shows first what that changes',
    refusedWhileRunning: 'always',
    run(session, count) {
      const { messages } = session.conversation
      const own = messages.flatMap(({ role }, i) => (role === 'user' ? [i] : []))
      const back = Math.max(1, Number(count) || 1)
      const from = own.at(-back)
      if (from === undefined) return session.say(`There are only ${own.length} messages of yours.`, 'warn')
      const left = messages.slice(from)
      const calls = left.flatMap(({ content }) => content.flatMap(part => (part.type === 'call' ? [part.name] : [])))
      const body = [
        `Back to before: ${oneLine(textOf(messages[from]), 60)}`,
        `${left.length} messages are left on their branch; nothing is deleted.`,
        ...(calls.length ? [`Tools ran there (${[...new Set(calls)].join(', ')}); what they did is not undone.`] : []),
      ]
      session.ask({ kind: 'yes-no', title: 'Rewind?', body: body.join('\n') }, yes => {
        if (isAllowed(yes)) void goToMessage(session, messages[from - 1]?.id)
      })
    },
  },
]
