import type { Commit } from '../stores/driver.ts'
import type { Channel, ChannelListener } from './channel.ts'

/** News of a store that several processes share: something was written, by this process or another. */
export type StoreNews =
  /** The log of a conversation has more. `seq`: of its last event. `isListed`: its place or state in a list may be another. */
  | {
      readonly type: 'written'
      readonly conversation: string
      readonly seq?: number | undefined
      readonly isListed: boolean
      /** The writer has let go of the log. */
      readonly isReleased: boolean
    }
  | { readonly type: 'deleted'; readonly conversation: string }
  /** A small value was set or removed. */
  | { readonly type: 'set'; readonly space: string; readonly key: string }

const topic = 'store'

/** The news of a commit; `undefined` for one that nobody reads. */
export function newsOf({
  conversation,
  records,
  release,
}: Pick<Commit, 'conversation' | 'records' | 'release'>): StoreNews | undefined {
  if (!records.length && !release) return undefined
  const seq = records.findLast(record => record.seq !== undefined)?.seq
  if (seq === undefined && !release) return undefined
  const isListed = records.some(({ type }) => /^(turn\.|request\.|title\.)/.test(type))
  return { type: 'written', conversation, seq, isListed, isReleased: release }
}

export const announce = (channel: Channel, news: StoreNews | undefined): void => {
  if (news) channel.publish(topic, news)
}

/** Tells the news of a store; `missed` where some may not have been heard. Returns how to stop. Nothing is told where the store has no channel. */
export function watchStore(
  { channel }: { readonly channel?: Channel | undefined },
  listener: { hear(news: StoreNews): void; missed?(): void },
): () => void {
  return channel?.listen(topic, listener as ChannelListener) ?? (() => {})
}
