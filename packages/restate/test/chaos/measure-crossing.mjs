// Milliseconds between a worker and a client of a server: text on its way out, an interrupt on its way in.
import { eventsOf } from './events-of.mjs'
import { callOf, makeConversation, spreadOf, withCluster } from './measuring.mjs'

/** Text from its making to a client's ear, and an interrupt from its sending to the end of the turn. */
export const measureCrossing = count =>
  withCluster({}, async ({ url }) => {
    const texts = []
    const interrupts = []
    for (let i = 0; i < count; i++) {
      texts.push(...(await textTimes(url, `d${i}`)))
      interrupts.push(await interruptTime(url, `i${i}`))
    }
    return { text: spreadOf(texts), interrupt: spreadOf(interrupts) }
  })

/** Follows a turn whose model says what time it is. */
async function textTimes(url, name) {
  const call = callOf(url)
  const id = await makeConversation(call)
  const abort = new AbortController()
  const events = eventsOf(url, id, 0, abort.signal)
  const sent = call('POST', `/api/conversations/${id}/turns`, { text: `do ${name} tell` })
  const times = []
  for await (const event of events) {
    const text = event.type === 'message.delta' ? event.text : ''
    for (const [, at] of text.matchAll(/<(\d+)>/g)) times.push(Date.now() - Number(at))
    if (event.type === 'turn.completed') break
  }
  abort.abort()
  await sent
  return times
}

/** Interrupts a turn while its model speaks. */
async function interruptTime(url, name) {
  const call = callOf(url)
  const id = await makeConversation(call)
  const { turnId } = await call('POST', `/api/conversations/${id}/turns`, { text: `do ${name} tell` })
  let sentAt
  for await (const { type } of eventsOf(url, id, 0)) {
    if (type === 'message.delta' && sentAt === undefined) {
      sentAt = performance.now()
      void call('POST', `/api/turns/${turnId}/interrupt`, {})
    }
    if (type === 'turn.interrupted') return performance.now() - sentAt
    if (type === 'turn.completed') throw new Error('It was too late to interrupt.')
  }
  throw new Error('The server has ended.')
}
