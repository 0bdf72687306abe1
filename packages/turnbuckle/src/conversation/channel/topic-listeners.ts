import type { ChannelListener } from './channel.ts'

/** The listeners of a channel in this process, by topic. One that throws breaks neither the others nor the channel. */
export class TopicListeners {
  readonly #topics = new Map<string, Set<ChannelListener>>()

  get topics(): readonly string[] {
    return [...this.#topics.keys()]
  }
  has(topic: string): boolean {
    return this.#topics.has(topic)
  }
  /** Returns how to remove it: that gives true where the topic has no listener left. */
  add(topic: string, listener: ChannelListener): () => boolean {
    const all = this.#topics.get(topic) ?? new Set()
    this.#topics.set(topic, all.add(listener))
    return () => {
      if (!all.delete(listener) || all.size) return false
      return this.#topics.get(topic) === all && this.#topics.delete(topic)
    }
  }
  tell(topic: string, message: unknown): void {
    for (const listener of [...(this.#topics.get(topic) ?? [])]) quietly(() => listener.hear(message))
  }
  /** `only`: one of them alone. */
  tellMissed(topics: Iterable<string> = this.topics, only?: ChannelListener): void {
    for (const topic of topics)
      for (const listener of [...(this.#topics.get(topic) ?? [])])
        if (!only || only === listener) quietly(() => listener.missed?.())
  }
}

function quietly(call: () => void): void {
  try {
    call()
  } catch {}
}
