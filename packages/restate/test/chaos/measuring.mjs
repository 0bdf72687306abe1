// What the measurements share.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Parts } from './parts.mjs'
import { startCluster, token } from './run-cluster.mjs'

/** A cluster for as long as the work takes. */
export async function withCluster(options, work) {
  const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-measure-'))
  const parts = new Parts()
  let ending
  const endAll = async () => {
    await parts.end()
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
    return await work(await startCluster({ folder, ...options, parts }))
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

/** The middle, the 95th percentile and the longest of some times. */
export function spreadOf(times) {
  const sorted = times.map(Math.round).sort((a, b) => a - b)
  const at = share => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  return { median: at(0.5), p95: at(0.95), longest: sorted.at(-1) }
}
