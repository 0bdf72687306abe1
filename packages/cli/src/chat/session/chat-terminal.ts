/** The terminal that a chat is on, as far as the chat has a use for it beyond drawing. */
export interface ChatTerminal {
  /** Ends the chat. */
  leave(): void
  /** Gives the terminal back to the shell until the person comes back with `fg`. */
  suspend(): void
  /** Lets the person edit a text in their editor, while a turn may go on. Undefined: they could not, and it was said why. */
  edit(text: string): Promise<string | undefined>
  /** The terminal has offered to tell keys apart that look alike, as Enter and Shift-Enter. */
  useKittyKeys(): void
  ring(): void
  /** Leaves an empty screen; what was on it is in the scrollback. */
  scrollAway(): void
}

/** For a chat that is on no terminal. */
export const noTerminal: ChatTerminal = {
  leave() {},
  suspend() {},
  edit: async () => undefined,
  useKittyKeys() {},
  ring() {},
  scrollAway() {},
}
