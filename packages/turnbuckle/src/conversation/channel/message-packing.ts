/** Bytes that one packet may have: PostgreSQL takes 7,999 in a notification. */
const packetBytes = 7900
/** Characters that one message may have. */
const longest = 2_000_000

/** A packet: who sent it, its number, which piece of how many, and the piece. Numbers make packets of the same text different. */
const packet = (sender: string, n: number, piece: number, pieces: number, text: string): string =>
  `${sender} ${n} ${piece} ${pieces} ${text}`
const heading = /^(\S+) (\d+) (\d+) (\d+) /

const encoder = new TextEncoder()
const bytesOf = (text: string): number => encoder.encode(text).length

/** Messages of one sender as packets of few bytes: short ones together, long ones in pieces. */
export class MessagePacker {
  readonly #sender: string
  #count = 0

  /** `sender`: a name without spaces that nobody else on the channel has. */
  constructor(sender: string) {
    this.#sender = sender
  }

  /** The packets of messages, in order. One that is too long, or that JSON cannot say, is left out. */
  pack(messages: readonly unknown[]): string[] {
    const packets: string[] = []
    let together: string[] = []
    let bytes = 0
    const end = () => {
      if (together.length) packets.push(...this.#packetsOf(`[${together.join(',')}]`))
      together = []
      bytes = 0
    }
    for (const message of messages) {
      const text = jsonOf(message)
      if (text === undefined || text.length > longest) continue
      const more = bytesOf(text) + 1
      if (bytes + more > packetBytes - 80) end()
      together.push(text)
      bytes += more
    }
    end()
    return packets
  }
  #packetsOf(text: string): string[] {
    const pieces = piecesOf(text)
    const n = ++this.#count
    return pieces.map((piece, i) => packet(this.#sender, n, i + 1, pieces.length, piece))
  }
}

const jsonOf = (message: unknown): string | undefined => {
  try {
    return JSON.stringify(message)
  } catch {
    return undefined
  }
}

/** Pieces of at most so many bytes; no character is cut in two. A character has at most three bytes for each of its units. */
function piecesOf(text: string): string[] {
  const room = packetBytes - 80
  if (bytesOf(text) <= room) return [text]
  const units = Math.floor(room / 3)
  const pieces: string[] = []
  for (let from = 0; from < text.length; ) {
    const last = text.charCodeAt(from + units - 1)
    const to = from + units - (last >= 0xd800 && last < 0xdc00 ? 1 : 0)
    pieces.push(text.slice(from, to))
    from = to
  }
  return pieces
}

/** Makes messages of packets again. A message with a missing piece is dropped. */
export class MessageUnpacker {
  /** The pieces so far of a long message, by sender. */
  readonly #begun = new Map<string, { readonly n: string; readonly pieces: string[] }>()

  /** The messages that a packet completes. */
  take(given: string): readonly unknown[] {
    const found = heading.exec(given)
    if (!found) return []
    const [head, sender = '', n = '', piece, pieces] = found
    const text = given.slice(head.length)
    if (pieces === '1') return messagesIn(text)
    const begun = piece === '1' ? { n, pieces: [] } : this.#begun.get(sender)
    if (!begun || begun.n !== n || begun.pieces.length !== Number(piece) - 1) {
      this.#begun.delete(sender)
      return []
    }
    begun.pieces.push(text)
    if (piece !== pieces) {
      this.#begun.set(sender, begun)
      return []
    }
    this.#begun.delete(sender)
    return messagesIn(begun.pieces.join(''))
  }
  /** Drops what was begun: the rest will not come. */
  reset(): void {
    this.#begun.clear()
  }
}

function messagesIn(text: string): readonly unknown[] {
  try {
    const messages: unknown = JSON.parse(text)
    return Array.isArray(messages) ? messages : []
  } catch {
    return []
  }
}
