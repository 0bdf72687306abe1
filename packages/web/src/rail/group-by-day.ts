import type { ConversationSummary } from 'turnbuckle/client'

export interface DayGroup {
  /** Today, Yesterday, a weekday, or a month. */
  readonly label: string
  readonly conversations: readonly ConversationSummary[]
}

const dayMs = 24 * 60 * 60 * 1000
const startOfDay = (at: number): number => new Date(at).setHours(0, 0, 0, 0)

/** The conversations under the day of their last activity. The list's order stays. */
export function groupByDay(list: readonly ConversationSummary[], now: number = Date.now()): DayGroup[] {
  const groups: { label: string; conversations: ConversationSummary[] }[] = []
  for (const conversation of list) {
    const label = dayLabel(conversation.updatedAt, now)
    const last = groups.at(-1)
    if (last?.label === label) last.conversations.push(conversation)
    else groups.push({ label, conversations: [conversation] })
  }
  return groups
}

function dayLabel(at: number, now: number): string {
  const days = Math.round((startOfDay(now) - startOfDay(at)) / dayMs)
  if (days <= 0) return 'Today'
  if (days === 1) return 'Yesterday'
  if (days < 7) return new Date(at).toLocaleDateString(undefined, { weekday: 'long' })
  return new Date(at).toLocaleDateString(undefined, { month: 'long', year: 'numeric' })
}
