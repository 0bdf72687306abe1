/** Numbers that follow from a seed (mulberry32): a program is generated from nothing else. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) | 0
  }

  /** From 0 up to, not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  below(end: number): number {
    return Math.floor(this.next() * end)
  }
  chance(share: number): boolean {
    return this.next() < share
  }
  pick<Value>(from: readonly Value[]): Value {
    return from[this.below(from.length)] as Value
  }
  list<Value>(least: number, most: number, make: () => Value): Value[] {
    return Array.from({ length: least + this.below(most - least + 1) }, make)
  }
  /** Virtual milliseconds, rarely the same twice: two waits never end in the same instant by accident. */
  ticks(most: number): number {
    return 1 + this.below(most)
  }
}
