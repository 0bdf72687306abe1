import { cutAnswer } from './cut-answer.ts'

/** Bytes of a message. The SDK's reader takes no more, and would give up the server. */
const longest = 8 * 1024 * 1024
/** Bytes that are kept of the beginning and of the end of a longer message. */
const kept = { head: 64 * 1024, tail: 1024 }

/** The lines of a server's output, a message each. One that is too long is replaced by the answer that its beginning makes. */
export class FittingLines {
  #line: Buffer[] = []
  #length = 0
  #head: Buffer | undefined
  #tail: Buffer = Buffer.alloc(0)

  /** Takes a piece of the output. Gives the lines that it ends, each with its line end. */
  take(chunk: Buffer): Buffer[] {
    const lines: Buffer[] = []
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      this.#add(chunk.subarray(from, end + 1))
      from = end + 1
      const line = this.#end()
      if (line) lines.push(line)
    }
    if (from < chunk.length) this.#add(chunk.subarray(from))
    return lines
  }

  #add(piece: Buffer): void {
    this.#length += piece.length
    if (this.#head) {
      this.#tail = Buffer.concat([this.#tail, piece.subarray(-kept.tail)]).subarray(-kept.tail)
      return
    }
    this.#line.push(piece)
    if (this.#length <= longest) return
    const whole = Buffer.concat(this.#line)
    this.#line = []
    this.#head = Buffer.from(whole.subarray(0, kept.head))
    this.#tail = Buffer.from(whole.subarray(-kept.tail))
  }

  #end(): Buffer | undefined {
    const bytes = this.#length
    const line = this.#head
      ? cutAnswer(this.#head.toString(), this.#tail.toString(), bytes)
      : Buffer.concat(this.#line).toString()
    this.#line = []
    this.#length = 0
    this.#head = undefined
    return line === undefined ? undefined : Buffer.from(line)
  }
}
