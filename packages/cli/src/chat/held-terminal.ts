import { ringBell, sendToTerminal } from '../text/print.ts'
import { editElsewhere } from './edit-elsewhere.ts'
import type { ChatSession } from './session/chat-session.ts'
import type { ChatTerminal } from './session/chat-terminal.ts'

const [pasteOn, pasteOff] = ['\x1b[?2004h', '\x1b[?2004l']
const showCursor = '\x1b[?25h'
/** Asks whether the terminal knows the kitty protocol; one that does not says nothing. */
const askKitty = '\x1b[?u'
const [kittyOn, kittyOff] = ['\x1b[>1u', '\x1b[<u']

/** The part of the screen that is drawn again and again. */
export interface DrawnPart {
  /** Takes it away, so that something else can use the terminal. */
  clear(): void
  /** Draws it again, after something else has used the terminal. */
  redraw(): void
  /** Draws it again on an empty screen. */
  scrollAway(): void
}

/** The terminal in raw mode, so that each key comes as it is pressed. It is given back whatever happens. */
export class HeldTerminal implements ChatTerminal {
  readonly #session: ChatSession
  readonly #onData: (chunk: string) => void
  readonly #giveBack = () => this.#release()
  #kitty = false
  #held = false
  /** Undefined until the screen is drawn. */
  drawn: DrawnPart | undefined
  leave: () => void = () => {}

  constructor(session: ChatSession, onData: (chunk: string) => void) {
    this.#session = session
    this.#onData = onData
  }

  /** Takes the terminal. */
  hold(): void {
    const { stdin } = process
    stdin.setEncoding('utf8')
    stdin.on('data', this.#onData)
    process.once('exit', this.#giveBack)
    sendToTerminal(askKitty)
    this.#take()
  }
  /** Gives the terminal back for good. */
  release(): void {
    process.off('exit', this.#giveBack)
    this.#release()
    process.stdin.off('data', this.#onData)
    process.stdin.pause()
  }

  #take(): void {
    process.stdin.setRawMode(true)
    process.stdin.resume()
    sendToTerminal(`${pasteOn}${this.#kitty ? kittyOn : ''}`)
    this.#held = true
  }
  #release(): void {
    if (!this.#held) return
    this.#held = false
    sendToTerminal(`${this.#kitty ? kittyOff : ''}${pasteOff}${showCursor}`)
    if (process.stdin.isTTY) process.stdin.setRawMode(false)
  }

  useKittyKeys(): void {
    if (this.#kitty) return
    this.#kitty = true
    sendToTerminal(kittyOn)
  }

  ring(): void {
    ringBell()
  }

  scrollAway(): void {
    this.drawn?.scrollAway()
  }

  /** The whole foreground group is stopped, as the terminal itself would: the program may have been started by another. */
  suspend(): void {
    this.drawn?.clear()
    this.#release()
    process.once('SIGCONT', () => {
      this.#take()
      this.drawn?.redraw()
    })
    process.kill(0, 'SIGTSTP')
  }

  async edit(text: string): Promise<string | undefined> {
    this.drawn?.clear()
    this.#release()
    process.stdin.pause()
    try {
      return await editElsewhere(text)
    } catch (error) {
      this.#session.say((error as Error).message, 'warn')
      return undefined
    } finally {
      this.#take()
      this.drawn?.redraw()
    }
  }
}
