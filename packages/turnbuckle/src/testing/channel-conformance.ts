import type { Channel } from '../conversation/channel/channel.ts'
import type { Maybe } from '../core/base/maybe.ts'
import { same } from './expect.ts'
import type { ConformanceCase, RegisterTest } from './hook-conformance.ts'

/** Opens a channel, as a process of its own would. Two with the same name of a place hear each other; a new name is another place. */
export type OpenChannel = (place: string) => Maybe<Channel>

interface ChannelBench {
  readonly one: Channel
  readonly two: Channel
  /** Another channel, at the same place or elsewhere. */
  another(place?: string): Promise<Channel>
}

/**
 * Proves that a channel between processes keeps what its port promises: whole messages, in order, to everybody who listens. Knows no test
 * framework.
 *
 * ```ts
 * channelConformance(place => postgresStore(url, { schema: place }).channel, test)
 * ```
 */
export function channelConformance(open: OpenChannel, test?: RegisterTest): readonly ConformanceCase[] {
  let count = 0
  const cases = facts.map(({ title, prove }) => ({
    title,
    async run() {
      const here = `channel_${++count}`
      const opened: Channel[] = []
      const another = async (place = here) => {
        const channel = await open(place)
        opened.push(channel)
        return channel
      }
      try {
        await prove({ one: await another(), two: await another(), another })
      } finally {
        for (const channel of opened) await channel.close()
      }
    },
  }))
  if (test) for (const { title, run } of cases) test(title, run)
  return cases
}

/** All that a listener has heard so far, from the moment on at which it listens. */
interface Ear {
  readonly heard: unknown[]
  /** Resolves with all so far when a message of this content has come. */
  until(last: unknown): Promise<readonly unknown[]>
  stop(): void
}

/** Resolves when it listens. */
function listening(channel: Channel, topic = 'news'): Promise<Ear> {
  const heard: unknown[] = []
  const waiting = new Set<() => void>()
  const until = (last: unknown) =>
    new Promise<readonly unknown[]>(resolve => {
      const check = () => {
        if (heard.includes(last)) resolve([...heard])
      }
      waiting.add(check)
      check()
    })
  return new Promise(resolve => {
    const stop = channel.listen(topic, {
      hear(message) {
        heard.push(message)
        for (const check of waiting) check()
      },
      missed: () => resolve({ heard, until, stop }),
    })
  })
}

interface ChannelFact {
  readonly title: string
  prove(bench: ChannelBench): Promise<void>
}

const facts: readonly ChannelFact[] = [
  {
    title: 'a message reaches everybody who listens, the sender too',
    async prove({ one, two, another }) {
      const ears = await Promise.all([one, one, two, await another()].map(channel => listening(channel)))
      same(two.isOpen, true, 'open once it listens')
      one.publish('news', { text: 'hello', n: [1, null] })
      one.publish('news', 'last')
      for (const ear of ears)
        same(await ear.until('last'), [{ text: 'hello', n: [1, null] }, 'last'], 'heard by each, once')
    },
  },
  {
    title: 'other topics, and other places, hear nothing of it',
    async prove({ one, two, another }) {
      const elsewhere = await another('channel_elsewhere')
      const [topic, place] = [await listening(two, 'other news'), await listening(elsewhere)]
      one.publish('news', 'not for them')
      one.publish('other news', 'last')
      elsewhere.publish('news', 'last')
      same(await topic.until('last'), ['last'], 'the other topic')
      same(await place.until('last'), ['last'], 'the other place')
    },
  },
  {
    title: 'messages come whole, in order and once, however long they are, also equal ones',
    async prove({ one, two }) {
      const ear = await listening(two)
      const sent = [
        ...Array.from({ length: 300 }, (_, i) => i),
        'twice',
        'twice',
        'x'.repeat(8000),
        `${'\u{1f600}'.repeat(30_000)}\u0000\ud800 "\\`,
        'ü'.repeat(7999),
        { deep: [{ text: 'y'.repeat(100_000) }] },
        'last',
      ]
      for (const message of sent) one.publish('news', message)
      same(await ear.until('last'), sent, 'all')
    },
  },
  {
    title: 'two senders are not mixed up',
    async prove({ one, two, another }) {
      const ear = await listening(await another())
      const of = (name: string) => Array.from({ length: 20 }, (_, i) => name + i + name.repeat(20_000))
      for (const message of of('a')) one.publish('news', message)
      for (const message of of('b')) two.publish('news', message)
      one.publish('news', 'a last')
      two.publish('news', 'b last')
      await ear.until('a last')
      const heard = (await ear.until('b last')) as string[]
      for (const name of ['a', 'b'])
        same(
          heard.filter(text => text.startsWith(name)),
          [...of(name), `${name} last`],
          `of ${name}`,
        )
    },
  },
  {
    title: 'who has stopped hears no more, and the others do',
    async prove({ one, two }) {
      const [gone, there] = [await listening(two), await listening(two)]
      gone.stop()
      gone.stop()
      one.publish('news', 'last')
      await there.until('last')
      there.stop()
      const back = await listening(two)
      one.publish('news', 'after')
      await back.until('after')
      same([gone.heard, there.heard, back.heard], [[], ['last'], ['after']], 'heard')
    },
  },
  {
    title: 'a listener that throws, and a message that cannot be sent, hinder nobody',
    async prove({ one, two }) {
      await new Promise<void>(resolve => {
        const fail = () => {
          throw new Error('no')
        }
        two.listen('news', {
          hear: fail,
          missed() {
            resolve()
            fail()
          },
        })
      })
      const ear = await listening(two)
      const circular: Record<string, unknown> = {}
      circular['self'] = circular
      one.publish('news', circular)
      one.publish('news', 'z'.repeat(2_000_001))
      one.publish('news', undefined)
      one.publish('news', 'last')
      same(await ear.until('last'), ['last'], 'the others')
    },
  },
  {
    title: 'what was published before the close is sent; afterwards nothing is',
    async prove({ one, two }) {
      const ear = await listening(two)
      await listening(one)
      one.publish('news', 'before')
      await one.close()
      one.publish('news', 'after')
      same(one.isOpen, false, 'closed')
      two.publish('news', 'last')
      await ear.until('before')
      same(await ear.until('last'), ['before', 'last'], 'heard')
      await one.close()
    },
  },
]
