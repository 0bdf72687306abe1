import type { ConversationRow } from 'turnbuckle/stores'
import { conversationTitle } from '../../store/conversation-title.ts'
import { findConversation } from '../../store/find-conversation.ts'
import { knownCost } from '../../store/known-cost.ts'
import { formatCost } from '../../text/format-count.ts'
import { openPicker, type PickerItem } from '../menu/picker.ts'
import type { ChatSession } from '../session/chat-session.ts'
import type { SlashCommand } from './slash-command.ts'

const mostShown = 100

/** `/resume`: goes on with another conversation of this project, one that is chosen or the one whose id begins so. */
export const resumeCommand: SlashCommand = {
  name: '/resume',
  usage: '[ID]',
  does: 'another conversation: search, ↑ ↓, Enter',
  refusedWhileRunning: 'here',
  async run(session, wanted) {
    const { store } = session.composed
    if (wanted) return openConversation(session, (await findConversation(store, wanted)).id)
    const rows = await store.list({ limit: mostShown })
    if (!rows.length) {
      session.say('There is no conversation yet.')
      return
    }
    const items = await Promise.all(rows.map(row => pickerItem(session, row)))
    const take = (id: string) => void openConversation(session, id)
    session.set({ picker: openPicker('Go on with', items, take, session.conversation.id) })
  },
}

async function pickerItem({ composed: { store } }: ChatSession, row: ConversationRow): Promise<PickerItem> {
  const label = await conversationTitle(store, row)
  const cost = formatCost(await knownCost(store, row))
  return {
    id: row.id,
    label,
    detail: [ageOf(Date.now() - row.updatedAt), cost].filter(Boolean).join(' · '),
  }
}

const units: readonly (readonly [ms: number, unit: string])[] = [
  [24 * 60 * 60_000, 'd'],
  [60 * 60_000, 'h'],
  [60_000, 'min'],
]

/** `3 d ago`, `5 min ago`, `just now` */
export function ageOf(ms: number): string {
  const [length, unit] = units.find(([length]) => ms >= length) ?? []
  return length === undefined ? 'just now' : `${Math.floor(ms / length)} ${unit} ago`
}

async function openConversation(session: ChatSession, id: string): Promise<void> {
  try {
    const conversation = await session.composed.agent.open(id)
    await conversation.load()
    await session.open(conversation)
  } catch (error) {
    session.say((error as Error).message, 'warn')
  }
}
