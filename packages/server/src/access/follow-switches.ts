import type { Agent } from 'turnbuckle'
import { type ConversationStore, watchStore } from 'turnbuckle/stores'
import { MiddlewareSwitches } from './middleware-switches.ts'

/** Milliseconds between two looks where nothing is heard. */
const lookEvery = 1000

/**
 * Keeps the middleware of an agent switched as people have switched it at any server on the store: for a process that runs turns and serves
 * nobody. Resolves when the switches were read first. Returns how to stop.
 *
 * ```ts
 * const stop = await followSwitches(agent, store)
 * ```
 */
export async function followSwitches(agent: Agent, store: ConversationStore): Promise<() => void> {
  const switches = new MiddlewareSwitches(agent, store)
  await switches.refresh()
  // A store that fails now and then is asked again.
  const look = () => void switches.refresh().catch(() => {})
  const timer = setInterval(look, lookEvery)
  timer.unref()
  const stop = watchStore(store, { hear: news => news.type === 'set' && look(), missed: look })
  return () => {
    clearInterval(timer)
    stop()
  }
}
