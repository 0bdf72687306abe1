import { type Command, commandTable } from '../command-table.ts'

/** `turnbuckle --help` */
export function commandOverview(): string {
  const width = Math.max(...commandTable.map(({ name }) => name.length))
  return [
    'Turnbuckle: an agent in your terminal, with hooks at both ends of everything.',
    '',
    'Usage: turnbuckle COMMAND [options]      without a command: chat',
    '',
    ...commandTable.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    'turnbuckle COMMAND --help shows options and examples. Settings: turnbuckle.config.json here,',
    'config.json in ~/.config/turnbuckle (TURNBUCKLE_HOME moves it). turnbuckle doctor says what is set up.',
    '',
    'Examples:',
    '  turnbuckle                              talk; needs no key: the offline model answers without one',
    '  turnbuckle run "what is 17*23" --json   one turn for a script',
  ].join('\n')
}

/** What stands for an option's value. */
const values: Readonly<Record<string, string>> = {
  model: 'M',
  conversation: 'ID',
  port: 'P',
  host: 'H',
  limit: 'N',
  format: 'json|md',
  with: 'MODULE',
}

/** `turnbuckle run --help` */
export function commandHelp({ name, usage, summary, options = {}, help = {}, examples }: Command): string {
  const flags = Object.entries(options).map(([flag, { type, short }]) => ({
    text: `${short ? `-${short}, ` : '    '}--${flag}${type === 'string' ? ` ${values[flag] ?? 'TEXT'}` : ''}`,
    does: help[flag] ?? '',
  }))
  const width = Math.max(0, ...flags.map(({ text }) => text.length))
  return [
    `turnbuckle ${name} ${usage}`.trimEnd(),
    `  ${summary}`,
    ...(flags.length ? ['', 'Options:', ...flags.map(({ text, does }) => `  ${text.padEnd(width)}  ${does}`)] : []),
    '',
    'Examples:',
    ...examples.map(example => `  ${example}`),
  ].join('\n')
}
