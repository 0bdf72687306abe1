/**
 * SHA-256 without waiting: `crypto.subtle` answers from another thread, which would make every hook that needs a hash
 * asynchronous, and is missing on pages without TLS.
 */
export function sha256(message: Uint8Array): Uint8Array {
  const length = message.length
  const blocks = new Uint8Array((Math.floor((length + 8) / 64) + 1) * 64)
  blocks.set(message)
  blocks[length] = 0x80
  const view = new DataView(blocks.buffer)
  view.setUint32(blocks.length - 8, Math.floor(length / 2 ** 29))
  view.setUint32(blocks.length - 4, length << 3)
  const state = start.slice()
  const words = new Int32Array(64)
  for (let at = 0; at < blocks.length; at += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getUint32(at + i * 4)
    extend(words)
    compress(state, words)
  }
  const hash = new DataView(new ArrayBuffer(32))
  state.forEach((word, i) => {
    hash.setUint32(i * 4, word)
  })
  return new Uint8Array(hash.buffer)
}

/** A hash that only who has the key can try out. */
export function hmac(key: Uint8Array, message: Uint8Array): Uint8Array {
  const padded = new Uint8Array(64)
  padded.set(key.length > 64 ? sha256(key) : key)
  const inner = padded.map(byte => byte ^ 0x36)
  const outer = padded.map(byte => byte ^ 0x5c)
  return sha256(joined(outer, sha256(joined(inner, message))))
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const hex: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
export function hexOf(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += hex[byte]
  return text
}

const joined = (a: Uint8Array, b: Uint8Array): Uint8Array => {
  const all = new Uint8Array(a.length + b.length)
  all.set(a)
  all.set(b, a.length)
  return all
}

const primes: readonly number[] = Array.from({ length: 312 }, (_, i) => i).filter(
  n => n > 1 && Array.from({ length: Math.floor(Math.sqrt(n)) - 1 }, (_, i) => i + 2).every(d => n % d),
)
const fraction = (root: number): number => (root - Math.floor(root)) * 2 ** 32
/** Signed: numbers of 32 bits are fast only so. */
const start = Int32Array.from(primes.slice(0, 8), prime => fraction(Math.sqrt(prime)))
const constants = Int32Array.from(primes.slice(0, 64), prime => fraction(Math.cbrt(prime)))
const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

function extend(w: Int32Array): void {
  for (let i = 16; i < 64; i++) {
    const b = w[i - 15] as number
    const d = w[i - 2] as number
    const far = (turn(b, 7) ^ turn(b, 18) ^ (b >>> 3)) + (w[i - 16] as number)
    w[i] = far + (turn(d, 17) ^ turn(d, 19) ^ (d >>> 10)) + (w[i - 7] as number)
  }
}

function compress(state: Int32Array, words: Int32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let i = 0; i < 64; i++) {
    const first = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g))
    const sum = (first + (constants[i] as number) + (words[i] as number)) | 0
    const other = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + sum) | 0
    d = c
    c = b
    b = a
    a = (sum + other) | 0
  }
  const added = [a, b, c, d, e, f, g, h]
  for (let i = 0; i < 8; i++) state[i] = (state[i] as number) + (added[i] as number)
}
