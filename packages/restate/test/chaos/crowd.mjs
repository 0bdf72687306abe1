// The people of a run: so many talk at a time, each in one conversation after the other.

export class Crowd {
  /** Everybody who has talked. */
  talkers = []
  #make
  #each
  #wants
  #begun = 0

  /**
   * `make` gives the talker of a name; `each` is the number of turns in a conversation, after which its person begins another: logs that are
   * read again and again stay short. `wants` says, by the number of turns that were begun, whether one more is.
   */
  constructor({ make, each, wants }) {
    this.#make = make
    this.#each = each
    this.#wants = wants
  }

  get turns() {
    return this.talkers.flatMap(({ turns }) => turns)
  }
  get done() {
    return this.talkers.reduce((sum, { turns }) => sum + turns.filter(({ endedAt }) => endedAt).length, 0)
  }
  /** Milliseconds for which the turn that was begun first, of those under way, has run. */
  get longest() {
    const begun = this.turns.flatMap(({ endedAt, sentAt }) => (endedAt ? [] : [sentAt]))
    return begun.length ? Date.now() - Math.min(...begun) : 0
  }
  get isBeginning() {
    return this.#wants(this.#begun)
  }
  /** Lets that many talk at a time. Resolves with true when all turns have ended and no more are wanted. */
  async talk(size) {
    await Promise.all(Array.from({ length: size }, (_, i) => this.#talkOn(`t${i}`)))
    return true
  }
  async #talkOn(person) {
    for (let i = 0; this.isBeginning; i++) {
      const talker = this.#make(`${person}n${i}`)
      this.talkers.push(talker)
      await talker.begin()
      for (let number = 0; number < this.#each && this.isBeginning; number++) {
        this.#begun++
        await talker.talk(number)
      }
      await talker.end()
    }
  }
}
