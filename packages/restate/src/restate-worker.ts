import { createServer, type Http2Server } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import { createEndpointHandler, type LoggerTransport } from '@restatedev/restate-sdk'
import { createTurnWorker, type TurnWorkerOptions } from '@turnbuckle/server'
import { restateServices } from './restate-services.ts'
import { restateSubAgents } from './restate-sub-agents.ts'

export interface RestateWorkerOptions extends Omit<TurnWorkerOptions, 'subAgents'> {
  /** The address of Restate's ingress: sub-agents are then invocations of their own, on any worker. Without it they run with their callers. */
  readonly ingress?: string
  /** Sent with every call of the ingress: `{ authorization: 'Bearer …' }` for one that asks for it. */
  readonly headers?: Readonly<Record<string, string>>
  /** Public keys of the Restate server that may call this worker (`publickeyv1_…`). Without them anybody who reaches the port may. */
  readonly identityKeys?: readonly string[]
  /** Told of the SDK's warnings and errors: lost connections among them, after which Restate calls again. */
  readonly report?: (message: string) => void
}

/** A worker: an endpoint that Restate calls. */
export interface RestateWorker {
  /** Listens with HTTP/2. Port 0, the default, picks a free one; the host is 127.0.0.1 by default. Resolves with the port. */
  listen(port?: number, host?: string): Promise<number>
  /** The number of turns that are worked on now. */
  readonly running: number
  /** Leaves its turns to their logs, and ends. Restate gives them to other workers. */
  close(): Promise<void>
}

/**
 * Works on the turns of an agent's conversations for Restate. All workers of a deployment have the same agent and share its store.
 *
 * ```ts
 * const port = await restateWorker({ agent, store }).listen(9080)
 * ```
 */
export function restateWorker(given: RestateWorkerOptions): RestateWorker {
  const { identityKeys = [], report, ingress, headers, ...options } = given
  const subAgents = ingress === undefined ? undefined : restateSubAgents({ ingress, ...(headers ? { headers } : {}) })
  const worker = createTurnWorker({ ...options, ...(subAgents ? { subAgents } : {}) })
  const keys = identityKeys.length ? { identityKeys: [...identityKeys] } : {}
  const logger: LoggerTransport = ({ level }, ...message) => {
    if (level === 'warn' || level === 'error') report?.(message.map(String).join(' '))
  }
  const server = createServer(createEndpointHandler({ services: restateServices(worker), logger, ...keys }))
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return {
    listen: (port = 0, host = '127.0.0.1') => listen(server, port, host),
    get running() {
      return worker.running
    },
    async close() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      await worker.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

const listen = (server: Http2Server, port: number, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
