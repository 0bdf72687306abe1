import { commandTable } from '../command-table.ts'
import { UserError } from '../errors/user-error.ts'
import { exitOnSignal } from './exit-on-signal.ts'
import { findCommand, parseCommand } from './parse-command.ts'

/** Runs a command line and gives its exit code. A person's mistake is said in one line, never as a stack trace. */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  // A reader that has gone (`| head`) ends the program; that is no error.
  process.stdout.on('error', error => process.exit((error as NodeJS.ErrnoException).code === 'EPIPE' ? 0 : 1))
  process.stderr.on('error', () => {})
  exitOnSignal()
  try {
    if (argv[0] === '--help' || argv[0] === '-h' || argv[0] === 'help') return await printHelp(argv[1])
    const { command, rest } = findCommand(argv)
    const ownHelp = rest.slice(0, rest.includes('--') ? rest.indexOf('--') : undefined)
    if (ownHelp.includes('--help') || ownHelp.includes('-h')) return await printHelp(command.name)
    const parsed = parseCommand(command, rest)
    const run = await command.load()
    return await run(parsed, commandTable)
  } catch (error) {
    return report(error)
  }
}

async function printHelp(name: string | undefined): Promise<number> {
  const { commandHelp, commandOverview } = await import('./command-help.ts')
  const { printLine } = await import('../text/print.ts')
  const text = name === undefined || name.startsWith('-') ? commandOverview() : commandHelp(findCommand([name]).command)
  printLine(text)
  return 0
}

async function report(error: unknown): Promise<number> {
  const { printNote } = await import('../text/print.ts')
  const mistake = error instanceof UserError
  const expected = mistake || (error as { name?: unknown } | undefined)?.name === 'TurnbuckleError'
  const text = error instanceof Error ? (expected || !process.env.DEBUG ? error.message : error.stack) : String(error)
  printNote(`turnbuckle: ${text}`)
  return mistake ? error.exitCode : 1
}
