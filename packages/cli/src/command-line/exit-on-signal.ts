/** Exit codes of a program that a signal ends. */
const codes = { SIGHUP: 129, SIGTERM: 143 } as const

/**
 * Makes these signals an exit of the program: without a handler they end it on the spot, and commands of tools and MCP servers,
 * which have process groups of their own, would stay. A command with a handler of its own decides for itself.
 */
export function exitOnSignal(): void {
  for (const signal of ['SIGHUP', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(codes[signal])
    })
}
