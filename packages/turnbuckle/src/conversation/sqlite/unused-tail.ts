import { nodeModule } from '../platform/node-module.ts'

const headerSize = 32
const frameHeader = 24

/**
 * Counts the bytes at the end of a write-ahead log that SQLite does not use, because they are torn, zeroed, or of a write
 * that was never finished. SQLite cuts them off without an error. Frames left over from before a checkpoint do not count.
 */
export function unusedTail(path: string): number {
  const { existsSync, readFileSync } = nodeModule('node:fs')
  if (!existsSync(path)) return 0
  const log = readFileSync(path)
  if (!log.length) return 0
  const end = lastCommit(log)
  const rest = log.subarray(end)
  return rest.length && !isLeftOver(rest, log) ? rest.length : 0
}

/** The offset at which the last whole transaction of the log ends. */
function lastCommit(log: Buffer): number {
  if (log.length < headerSize) return 0
  const little = log.readUInt32BE(0) === 0x377f0682
  if (!little && log.readUInt32BE(0) !== 0x377f0683) return 0
  const size = log.readUInt32BE(8)
  const salts = log.subarray(16, 24)
  let sum = add([0, 0], log.subarray(0, 24), little)
  if (!matches(sum, log, 24)) return 0
  let end = headerSize
  for (let at = headerSize; at + frameHeader + size <= log.length; at += frameHeader + size) {
    if (!log.subarray(at + 8, at + 16).equals(salts)) break
    sum = add(sum, log.subarray(at, at + 8), little)
    sum = add(sum, log.subarray(at + frameHeader, at + frameHeader + size), little)
    if (!matches(sum, log, at + 16)) break
    if (log.readUInt32BE(at + 4)) end = at + frameHeader + size
  }
  return end
}

type Sum = readonly [number, number]

const matches = ([first, second]: Sum, log: Buffer, at: number): boolean =>
  log.readUInt32BE(at) === first && log.readUInt32BE(at + 4) === second

/** The checksum of the file format: pairs of words, each added to both. */
function add([first, second]: Sum, bytes: Buffer, little: boolean): Sum {
  let [a, b] = [first, second]
  const words = wordsOf(bytes, little)
  for (let i = 0; i < words.length; i += 2) {
    a = (a + (words[i] as number) + b) >>> 0
    b = (b + (words[i + 1] as number) + a) >>> 0
  }
  return [a, b]
}

/** Words have the byte order of the machine that wrote the log; where it is this machine's, the bytes are not copied. */
function wordsOf(bytes: Buffer, little: boolean): Uint32Array {
  const { buffer, byteOffset, length } = bytes
  if (little === (nodeModule('node:os').endianness() === 'LE') && byteOffset % 4 === 0)
    return new Uint32Array(buffer, byteOffset, length / 4)
  return Uint32Array.from({ length: length / 4 }, (_, i) =>
    little ? bytes.readUInt32LE(4 * i) : bytes.readUInt32BE(4 * i),
  )
}

/** After a checkpoint the log is written again from its beginning: older frames behind it have another salt. */
function isLeftOver(rest: Buffer, log: Buffer): boolean {
  if (rest.length < frameHeader || log.length < headerSize) return false
  const salts = rest.subarray(8, 16)
  return !salts.equals(log.subarray(16, 24)) && salts.some(byte => byte !== 0)
}
