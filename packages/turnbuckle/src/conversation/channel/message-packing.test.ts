import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MessagePacker, MessageUnpacker } from './message-packing.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text).length
const unpacked = (packets: readonly string[], unpacker = new MessageUnpacker()) =>
  packets.flatMap(packet => unpacker.take(packet))

test('messages of any length come whole and in order, in packets that PostgreSQL takes', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 12_000 })
  const message = fc.record({ text, n: fc.integer() })
  fc.assert(
    fc.property(fc.array(message, { maxLength: 8 }), messages => {
      const packets = new MessagePacker('a').pack(messages)
      expect(packets.every(packet => bytesOf(packet) < 8000)).toBe(true)
      expect(unpacked(packets)).toEqual(messages)
    }),
    { numRuns: 60 },
  )
})

test('short messages share a packet, and equal packets differ', () => {
  const packer = new MessagePacker('a')
  const [first, ...more] = packer.pack([1, 2, 3])
  expect(more).toEqual([])
  expect(packer.pack([1, 2, 3])).not.toContain(first)
})

test('a message of which a piece is missing is dropped, and the next is whole', () => {
  const packer = new MessagePacker('a')
  const long = packer.pack(['x'.repeat(20_000)])
  expect(long.length).toBeGreaterThan(2)
  const unpacker = new MessageUnpacker()
  expect(unpacked(long.toSpliced(1, 1), unpacker)).toEqual([])
  expect(unpacked(packer.pack(['y'.repeat(20_000)]), unpacker)).toEqual(['y'.repeat(20_000)])
})

test('pieces of two senders do not mix; after a reset the rest of a message is nothing', () => {
  const [a, b] = ['a', 'b'].map(sender => new MessagePacker(sender).pack([sender.repeat(10_000)])) as [
    string[],
    string[],
  ]
  const mixed = a.flatMap((packet, i) => [packet, b[i] ?? ''])
  expect(unpacked(mixed)).toEqual(['a'.repeat(10_000), 'b'.repeat(10_000)])
  const unpacker = new MessageUnpacker()
  unpacker.take(a[0] ?? '')
  unpacker.reset()
  expect(unpacked(a.slice(1), unpacker)).toEqual([])
})

test.each(['', 'a 1 1 1 no json', 'a 1 1 1 {}', 'a 1 2 2 [1]'])('of %j nothing is told', packet => {
  expect(new MessageUnpacker().take(packet)).toEqual([])
})

test('what JSON cannot say, and over two million characters, is left out', () => {
  const ring: { self?: unknown } = {}
  ring.self = ring
  expect(unpacked(new MessagePacker('a').pack([ring, 'x'.repeat(2_000_001), undefined, 'said']))).toEqual(['said'])
})
