import { type Command, type CommandOption, commandTable } from '../command-table.ts'

/** `turnbuckle --help` */
export function commandOverview(commands: readonly Command[] = commandTable): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  return [
    'Turnbuckle: an agent in your terminal, with hooks at both ends of everything.',
    '',
    'Usage: turnbuckle COMMAND [options]      without a command: chat',
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    'turnbuckle COMMAND --help shows options and examples. Settings: turnbuckle.config.json here,',
    'config.json in ~/.config/turnbuckle (TURNBUCKLE_HOME moves it). turnbuckle doctor says what is set up.',
    '',
    'Examples:',
    '  turnbuckle                              talk; needs no key: the offline model answers without one',
    '  turnbuckle run "what is 17*23" --json   one turn for a script',
  ].join('\n')
}

/** `turnbuckle run --help` */
export function commandHelp({ name, usage, summary, options, examples }: Command): string {
  const flags = Object.entries(options).map(([flag, option]) => ({
    text: flagText(flag, option),
    does: option.does,
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

/** `-m, --model M` */
function flagText(flag: string, option: CommandOption): string {
  if (option.type === 'boolean') return `    --${flag}`
  return `${option.short ? `-${option.short}, ` : '    '}--${flag} ${option.value}`
}
