import type { Message, Usage } from 'turnbuckle'
import { messageText } from '../../text/message-text.ts'
import { oneLine } from '../../text/one-line.ts'
import { ownWords } from '../../text/own-words.ts'
import type { ChatSession } from '../session/chat-session.ts'
import type { SlashCommand } from './slash-command.ts'

const task =
  'Summarise this conversation for the assistant that goes on with it. Keep facts, names, paths, numbers, decisions, what ' +
  'was changed, open questions and what the person asked for. Leave out greetings and repetition. Answer with the summary alone.'

/** `/compact`: goes on in a new conversation that begins with a summary. The old one stays as it is. */
export const compactCommand: SlashCommand = {
  name: '/compact',
  usage: '[WHAT MATTERS]',
  does: 'goes on with a summary, for a shorter context',
  refusedWhileRunning: 'always',
  async run(session, focus) {
    const { messages, title, head } = session.conversation
    if (messages.length < 2) {
      session.say('There is nothing to make shorter yet.')
      return
    }
    const { text, usage } = await summarise(session, messages, focus)
    if (!text.trim()) throw new Error('The summary came back empty; nothing was changed.')
    if (session.isWorking || session.conversation.head !== head)
      throw new Error('A turn began meanwhile; nothing was changed.')
    const said = `Summary of the conversation so far:\n${text.trim()}`
    const compacted = session.composed.agent.conversation({
      messages: [
        { role: 'user', content: said },
        { role: 'assistant', content: 'I have read the summary and go on from there.' },
      ],
    })
    // Else its list would show the summary as its title.
    compacted.title = title ?? oneLine(messages.map(ownWords).find(Boolean) ?? '', 80)
    const before = session.conversation.id
    await session.open(compacted)
    session.count(usage)
    session.say(`${messages.length} messages became a summary. The whole is still there: /resume, ${before}`)
  },
}

/** Throws where the person ends it. */
async function summarise(
  session: ChatSession,
  messages: readonly Message[],
  focus: string,
): Promise<{ readonly text: string; readonly usage: Usage | undefined }> {
  const told = messages.map(messageText).join('\n\n')
  const instructions = focus ? `${task}\nWhat matters most: ${focus}` : task
  const prompt = {
    messages: [{ id: 'to-summarise', role: 'user' as const, content: [{ type: 'text' as const, text: told }] }],
    tools: [],
    instructions,
    params: {},
  }
  const { model } = session.composed
  const stopped = new AbortController()
  const { ended } = session.startBeside('writing a summary', () => stopped.abort())
  let text = ''
  let usage: Usage | undefined
  try {
    for await (const chunks of model.stream(prompt, { signal: stopped.signal })) {
      stopped.signal.throwIfAborted()
      for (const chunk of [chunks].flat()) {
        if (chunk.type === 'text') text += chunk.text
        else if (chunk.type === 'usage') usage = chunk
      }
    }
    return { text, usage }
  } catch (error) {
    throw stopped.signal.aborted ? new Error('No summary was written; nothing was changed.') : error
  } finally {
    ended()
  }
}
