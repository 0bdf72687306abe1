// Milliseconds between a worker and a client of a server: text on its way out, an interjection and an interrupt on their way in.
import { eventsOf } from './events-of.mjs'
import { callOf, makeConversation, spreadOf, withCluster } from './measuring.mjs'

/** Text from its making to a client's ear, an interjection from its sending until the turn has it, and an interrupt until the turn has ended. */
export const measureCrossing = count =>
  withCluster({}, async ({ url }) => {
    const texts = []
    const interjections = []
    const interrupts = []
    for (let i = 0; i < count; i++) {
      texts.push(...(await textTimes(url, `d${i}`)))
      interjections.push(
        await actTime(url, `j${i}`, { act: 'interject', body: { text: 'and quickly' }, until: 'interjection.queued' }),
      )
      interrupts.push(await actTime(url, `i${i}`, { act: 'interrupt', body: {}, until: 'turn.interrupted' }))
    }
    return { text: spreadOf(texts), interjection: spreadOf(interjections), interrupt: spreadOf(interrupts) }
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

/** Acts on a turn while its model speaks, and gives the milliseconds until its effect was heard. */
async function actTime(url, name, { act, body, until }) {
  const call = callOf(url)
  const id = await makeConversation(call)
  const { turnId } = await call('POST', `/api/conversations/${id}/turns`, { text: `do ${name} tell` })
  let sentAt
  for await (const { type } of eventsOf(url, id, 0)) {
    if (type === 'message.delta' && sentAt === undefined) {
      sentAt = performance.now()
      void call('POST', `/api/turns/${turnId}/${act}`, body)
    }
    if (type === until) return performance.now() - sentAt
    if (type === 'turn.completed') throw new Error(`It was too late to ${act}.`)
  }
  throw new Error('The server has ended.')
}
