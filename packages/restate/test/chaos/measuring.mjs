// What the measurements share.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCluster, token } from './run-cluster.mjs'

/** A cluster for as long as the work takes. */
export async function withCluster(options, work) {
  const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-measure-'))
  const cluster = await startCluster({ folder, ...options })
  let ending
  const endAll = async () => {
    await cluster.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  const end = () => {
    ending ??= endAll()
    return ending
  }
  const signals = ['SIGINT', 'SIGTERM']
  const onSignal = () => void end().then(() => process.exit(130))
  for (const signal of signals) process.on(signal, onSignal)
  try {
    return await work(cluster)
  } finally {
    for (const signal of signals) process.off(signal, onSignal)
    await end()
  }
}

/** Calls of a client at that address. */
export const callOf = url => async (method, path, body) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(`${url}${path}`, { method, headers, body: body && JSON.stringify(body) })
  return response.json()
}
export const makeConversation = async call => (await call('POST', '/api/conversations', {})).id

/** Sends a turn, and gives the milliseconds until its end was heard. */
export async function timeTurn({ url, call, id, text }) {
  const abort = new AbortController()
  const { seq } = await call('GET', `/api/conversations/${id}`)
  const response = await fetch(`${url}/api/conversations/${id}/events?after=${seq}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: abort.signal,
  })
  const begin = performance.now()
  const sent = call('POST', `/api/conversations/${id}/turns`, { text })
  let heard = ''
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    heard += chunk
    if (heard.includes('"type":"turn.completed"')) break
  }
  abort.abort()
  await sent
  return performance.now() - begin
}

/** What a client hears of a conversation, from a number on. */
export async function* eventsOf(url, id, after, signal) {
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${url}/api/conversations/${id}/events?after=${after}`, { headers, signal })
  let rest = ''
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const frames = `${rest}${chunk}`.split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) {
      const data = /^data: ?(.*)$/m.exec(frame)?.[1]
      if (data) yield JSON.parse(data)
    }
  }
}

/** The middle, the 95th percentile and the longest of some times. */
export function spreadOf(times) {
  const sorted = times.map(Math.round).sort((a, b) => a - b)
  const at = share => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  return { median: at(0.5), p95: at(0.95), longest: sorted.at(-1) }
}
