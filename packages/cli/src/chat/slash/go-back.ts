import type { Node } from 'turnbuckle'
import { oneLine } from '../../text/one-line.ts'
import { ownWords } from '../../text/own-words.ts'
import type { ChatSession } from '../session/chat-session.ts'
import { isAllowed } from '../session/is-allowed.ts'
import { isAskedAlready } from './asked-already.ts'
import { type FilesBack, filesBackLines, putFilesBack } from './files-back.ts'
import { goBefore } from './go-to-message.ts'
import { tellUndone, undoFiles } from './undo-command.ts'

export interface GoBackOptions {
  /** The message in words, where it is not `that message`. */
  readonly called?: string
  /** Asks also where there is no file to put back. */
  readonly isAsked?: boolean
}

/** Goes before a message of the person's own. Where files were written since, the person chooses: the conversation, the files, or both. */
export async function goBack(session: ChatSession, node: Node, options: GoBackOptions = {}): Promise<void> {
  const { id } = session.conversation
  const { fileVersions } = session.composed
  const go = () => goBefore(session, node, options.called)
  const turnIds = turnsFrom(session, node)
  // Nothing is waited for without need: what is typed ahead is for the input as it is after going back.
  if (!options.isAsked && fileVersions.isKnownClean(id, turnIds)) return go()
  const written = await fileVersions.writtenFrom(id, turnIds)
  if (isAskedAlready(session)) return
  const filesBack: FilesBack = { conversation: id, ...written }
  const { put, lines } = filesBackLines(session, filesBack)
  if (put) {
    const body = [...leftBehind(session, node), `${put === 1 ? 'A file' : `${put} files`} can go back too:`, ...lines]
    session.ask({ kind: 'back', title: 'What goes back?', body: body.join('\n') }, given => {
      carryOut(session, filesBack, { given, go }).catch((error: Error) => session.say(error.message, 'warn'))
    })
  } else if (options.isAsked) {
    const body = [...leftBehind(session, node), ...ranThere(session, node), ...lines].join('\n')
    session.ask({ kind: 'yes-no', title: 'Rewind?', body }, given => {
      if (isAllowed(given) && isStillOpen(session, id)) go()
    })
  } else go()
}

async function carryOut(
  session: ChatSession,
  filesBack: FilesBack,
  { given, go }: { readonly given: unknown; readonly go: () => void },
): Promise<void> {
  const { back } = given as { readonly back?: 'conversation' | 'both' | 'files' }
  if (back === undefined || !isStillOpen(session, filesBack.conversation)) return
  if (back === 'files') return undoFiles(session, filesBack)
  if (back === 'conversation') return go()
  // Files first: where they cannot be written the conversation stays with them.
  const put = await putFilesBack(session, filesBack)
  if (put.hasFailed)
    return tellUndone(session, filesBack, { ...put, done: `${put.done}\nThe conversation stays where it is.` })
  go()
  session.say(put.done)
}

function isStillOpen(session: ChatSession, id: string): boolean {
  const isOpen = session.conversation.id === id
  if (!isOpen) session.say('Another conversation is open now: nothing went back.', 'warn')
  return isOpen
}

/** The turns that were begun with a message or after it, on any branch: files have one past. */
function turnsFrom({ conversation }: ChatSession, { id }: Node): ReadonlySet<string> {
  const { tree } = conversation
  const since = tree.slice(tree.findIndex(node => node.id === id))
  return new Set(since.flatMap(({ turnId }) => turnId ?? []))
}

function leftBehind(session: ChatSession, node: Node): readonly string[] {
  const left = leftMessages(session, node).length
  const { tree } = session.conversation
  const isFirst = tree.find(({ turnId }) => turnId === node.turnId)?.id === node.id
  return [
    `Back to before: ${oneLine(ownWords(node.message), 60)}`,
    ...(left ? [`${left} messages are left on their branch; nothing is deleted.`] : []),
    ...(isFirst ? [] : ['It was said in the middle of a turn: files go back to before that turn.']),
  ]
}

function ranThere(session: ChatSession, node: Node): readonly string[] {
  const calls = leftMessages(session, node).flatMap(({ content }) =>
    content.flatMap(part => (part.type === 'call' ? [part.name] : [])),
  )
  return calls.length ? [`Tools ran there (${[...new Set(calls)].join(', ')}); what they did is not undone.`] : []
}

/** The messages of the path that are not on the way to a message. */
function leftMessages({ conversation }: ChatSession, { id }: Node): typeof conversation.messages {
  const { messages, tree } = conversation
  const parents = new Map(tree.map(node => [node.id, node.parentId]))
  const kept = new Set<string>()
  for (let at = parents.get(id); at !== undefined && !kept.has(at); at = parents.get(at)) kept.add(at)
  return messages.filter(message => !kept.has(message.id))
}
