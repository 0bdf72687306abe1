import { isNode, nodeModule } from './node-module.ts'

/** SHA-256 of a text in UTF-8, as base64url. Not by Web Crypto, which answers later. */
export const sha256 = (text: string): string =>
  isNode ? nodeModule('node:crypto').createHash('sha256').update(text).digest('base64url') : base64url(digest(text))

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** The first 32 bits of the fractional part of a root of each of the first primes. */
const fractions = (count: number, root: number): number[] => {
  const found: number[] = []
  for (let n = 2; found.length < count; n++) {
    let isPrime = true
    for (let k = 2; k * k <= n; k++) if (n % k === 0) isPrime = false
    if (isPrime) found.push(Math.floor((n ** (1 / root) % 1) * 2 ** 32))
  }
  return found
}
const constants = fractions(64, 3)
const initial = fractions(8, 2)

/** SHA-256 as FIPS 180-4 has it, for where there is no Node. */
export function digest(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text)
  const blocks = Math.ceil((bytes.length + 9) / 64)
  const padded = new DataView(new ArrayBuffer(blocks * 64))
  for (const [i, byte] of bytes.entries()) padded.setUint8(i, byte)
  padded.setUint8(bytes.length, 0x80)
  padded.setBigUint64(blocks * 64 - 8, BigInt(bytes.length) * 8n)
  const hash = Uint32Array.from(initial)
  for (let block = 0; block < blocks; block++) mix(hash, schedule(padded, block * 64))
  const out = new DataView(new ArrayBuffer(32))
  for (const [i, word] of hash.entries()) out.setUint32(i * 4, word)
  return new Uint8Array(out.buffer)
}

const turned = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits))

function schedule(padded: DataView, at: number): Uint32Array {
  const words = new Uint32Array(64)
  const word = (i: number): number => words[i] ?? 0
  for (let i = 0; i < 16; i++) words[i] = padded.getUint32(at + i * 4)
  for (let i = 16; i < 64; i++) {
    const [a, b] = [word(i - 15), word(i - 2)]
    const first = turned(a, 7) ^ turned(a, 18) ^ (a >>> 3)
    const second = turned(b, 17) ^ turned(b, 19) ^ (b >>> 10)
    words[i] = word(i - 16) + first + word(i - 7) + second
  }
  return words
}

function mix(hash: Uint32Array, words: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g)
    const first = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + (constants[i] ?? 0) + (words[i] ?? 0)
    const second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0]
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) hash[i] = (hash[i] ?? 0) + word
}
