import type { Channel } from 'turnbuckle/stores'
import { type ChannelHub, channelConformance, channelHub } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const hubs = () => {
  const places = new Map<string, ChannelHub>()
  return (place: string) => {
    const hub = places.get(place) ?? channelHub()
    places.set(place, hub)
    return hub.join()
  }
}

describe('the hub of tests', () => {
  channelConformance(hubs(), test)
})

/** A channel with a fault. `published`: what becomes of a message. */
const faulty = (
  channel: Channel,
  published: (message: unknown, send: (message: unknown) => void) => void,
): Channel => ({
  get isOpen() {
    return channel.isOpen
  },
  publish: (topic, message) => published(message, given => channel.publish(topic, given)),
  listen: (topic, listener) => channel.listen(topic, listener),
  close: () => channel.close(),
})

test.each([
  {
    what: 'sends twice',
    fault: (message: unknown, send: (message: unknown) => void) => [send(message), send(message)],
  },
  {
    what: 'cuts long messages',
    fault: (message: unknown, send: (message: unknown) => void) =>
      send(typeof message === 'string' ? message.slice(0, 7000) : message),
  },
])('a channel that $what is caught', async ({ fault }) => {
  const open = hubs()
  const cases = channelConformance(place => faulty(open(place), fault))
  const held = await Promise.all(
    cases.map(({ run }) =>
      run().then(
        () => true,
        () => false,
      ),
    ),
  )
  expect(held).toContain(false)
})
