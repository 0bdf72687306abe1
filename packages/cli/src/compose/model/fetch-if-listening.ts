import { connect } from 'node:net'

/**
 * `fetch` for an address where probably no server listens: a socket is tried first, because loading `fetch` takes
 * longer.
 */
export const fetchIfListening: typeof fetch = async (input, init) => {
  const { hostname, port, protocol } = new URL(String(input))
  await new Promise<void>((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) || (protocol === 'https:' ? 443 : 80) })
    const end = (then: () => void) => {
      socket.destroy()
      then()
    }
    socket.once('connect', () => end(resolve))
    socket.once('error', error => end(() => reject(error)))
    init?.signal?.addEventListener('abort', () => end(() => reject(new Error('Nobody answered in time.'))))
  })
  return fetch(input, init)
}
