// Spreads TCP connections over several ports of the loopback address, in turn: one address for several workers or servers.
import { connect, createServer } from 'node:net'

/**
 * Listens on `port` (0: a free one). A connection goes to the next backend that takes it; one that all refuse is closed. `cut(true)` drops
 * all connections and takes no more until `cut(false)`: the network between the two sides is gone.
 */
export async function startBalancer(backends, port = 0) {
  const pairs = new Set()
  let next = 0
  let isCut = false
  const server = createServer({ pauseOnConnect: true }, client => {
    client.setNoDelay(true)
    client.on('error', () => client.destroy())
    if (isCut) return client.destroy()
    const first = next++
    const join = tries => {
      if (tries === backends.length || client.destroyed) return client.destroy()
      const backend = connect(backends[(first + tries) % backends.length], '127.0.0.1')
      backend.setNoDelay(true)
      let joined = false
      backend.once('connect', () => {
        joined = true
        const pair = [client, backend]
        pairs.add(pair)
        const end = () => {
          pairs.delete(pair)
          for (const socket of pair) socket.destroy()
        }
        client.once('close', end)
        backend.once('close', end)
        client.pipe(backend)
        backend.pipe(client)
        client.resume()
      })
      backend.on('error', () => {
        if (!joined) join(tries + 1)
      })
    }
    join(0)
  })
  await new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const drop = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
  }
  return {
    port: server.address().port,
    cut(value) {
      isCut = value
      if (value) drop()
    },
    async close() {
      const closed = new Promise(resolve => server.close(resolve))
      drop()
      await closed
    },
  }
}

/** Ports that nobody listens on now. */
export async function freePorts(count) {
  const probes = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise((resolve, reject) => {
          const probe = createServer()
          probe.once('error', reject)
          probe.listen(0, '127.0.0.1', () => resolve(probe))
        }),
    ),
  )
  const ports = probes.map(probe => probe.address().port)
  await Promise.all(probes.map(probe => new Promise(resolve => probe.close(resolve))))
  return ports
}
