import { textOf } from 'turnbuckle'
import { drawTree } from '../../text/draw-tree.ts'
import { oneLine } from '../../text/one-line.ts'
import { goBack } from './go-back.ts'
import { goToMessage } from './go-to-message.ts'
import { ownMessages, rewindCommand } from './rewind-command.ts'
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
    async run(session) {
      const [last] = ownMessages(session)
      if (!last) return session.say('Nothing was said yet.')
      await goBack(session, last, { called: 'your last message' })
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
  rewindCommand,
]
