import type { TurnOrder, TurnRunner } from '@turnbuckle/server'
import { TurnbuckleError } from 'turnbuckle'
import { keyOf, turnService } from './restate-services.ts'

export interface RestateRunnerOptions {
  /** The address of Restate's ingress: `http://127.0.0.1:8080`. */
  readonly ingress: string
  /** Sent with every call: `{ authorization: 'Bearer …' }` for an ingress that asks for it. */
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds for which the ingress is tried again while it cannot be reached. Five seconds by default. */
  readonly patienceMs?: number
}

/**
 * Lets a server start turns on Restate's workers instead of in its own process.
 *
 * ```ts
 * await createServer({ agent, store, runner: restateRunner({ ingress: 'http://127.0.0.1:8080' }) })
 * ```
 */
export function restateRunner({ ingress, headers = {}, patienceMs = 5000 }: RestateRunnerOptions): TurnRunner {
  const call = async (order: TurnOrder, handler: string, body: unknown): Promise<void> => {
    const path = `${turnService}/${encodeURIComponent(keyOf(order))}/${handler}`
    const url = new URL(path, ingress.endsWith('/') ? ingress : `${ingress}/`)
    const until = Date.now() + patienceMs
    for (;;) {
      const failure = await post(url, headers, body)
      if (!failure) return
      if (!failure.mayPass || Date.now() > until)
        throw new TurnbuckleError('engine.unreachable', `Restate did not take the turn: ${failure.reason}`)
      await new Promise(resolve => setTimeout(resolve, 100))
    }
  }
  return {
    start: order => call(order, 'run/send', order),
    startAt: order => call(order, 'run/send', order),
    async wake({ start: _, ...order }, answered) {
      // A turn that Restate has no workflow of gets one; for any other that is refused, and its promises are resolved.
      await call(order, 'run/send', order)
      if (answered.length) await call(order, 'wake/send', answered)
    },
  }
}

interface Failure {
  readonly reason: string
  readonly mayPass: boolean
}

/** Sends the call; a workflow that was submitted before answers 409 or 200, and has the order. */
async function post(url: URL, headers: Readonly<Record<string, string>>, body: unknown): Promise<Failure | undefined> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(5000),
    })
    const text = await response.text()
    if (response.ok || response.status === 409) return undefined
    return { reason: `${response.status} ${text.slice(0, 300)}`, mayPass: response.status >= 429 }
  } catch (error) {
    return { reason: String((error as { cause?: unknown }).cause ?? error), mayPass: true }
  }
}
