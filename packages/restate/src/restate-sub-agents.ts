import type { SubAgentEngine, SubAgentOrder, SubAgentStand } from '@turnbuckle/server'
import { TurnbuckleError } from 'turnbuckle'
import { conversationService } from './restate-services.ts'

export interface RestateIngress {
  /** The address of Restate's ingress: `http://127.0.0.1:8080`. */
  readonly ingress: string
  /** Sent with every call: `{ authorization: 'Bearer …' }` for an ingress that asks for it. */
  readonly headers?: Readonly<Record<string, string>>
}

const tryAgainMs = 500

/** Has sub-agents worked on by invocations of their own, each on the virtual object of its conversation. */
export function restateSubAgents({ ingress, headers = {} }: RestateIngress): SubAgentEngine {
  return {
    async workForCaller(order, signal) {
      while (!signal.aborted) {
        const stand = await invoke(ingress, headers, order, signal)
        if (stand) return stand
        await new Promise(resolve => setTimeout(resolve, tryAgainMs))
      }
      return { state: 'left' }
    },
  }
}

/** Begins the invocation, or joins the one that Restate has of this order; `undefined` where it cannot be reached, or the wait was cut off. */
async function invoke(
  ingress: string,
  headers: Readonly<Record<string, string>>,
  order: SubAgentOrder,
  signal: AbortSignal,
): Promise<SubAgentStand | undefined> {
  const path = `${conversationService}/${encodeURIComponent(order.conversationId)}/workForCaller`
  const url = new URL(path, ingress.endsWith('/') ? ingress : `${ingress}/`)
  const named = { 'content-type': 'application/json', 'idempotency-key': order.session }
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...named, ...headers },
      body: JSON.stringify(order),
      signal,
    })
    if (response.ok) return (await response.json()) as SubAgentStand
    if (response.status < 429) throw refusal(response.status, await response.text())
    // A body that nobody reads keeps its connection.
    await response.body?.cancel()
  } catch (error) {
    if (error instanceof TurnbuckleError) throw error
  }
  return undefined
}

const refusal = (status: number, text: string): TurnbuckleError =>
  new TurnbuckleError('engine.refused', `Restate did not take the sub-agent: ${status} ${text.slice(0, 300)}`)
