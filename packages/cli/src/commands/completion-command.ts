import type { Command, CommandFunction } from '../command-table.ts'
import { printLine } from '../text/print.ts'

const wordsOf = ({ options, words }: Command): string[] => [
  ...words,
  ...Object.keys(options).map(flag => `--${flag}`),
  '--help',
]

const scripts: Readonly<Record<string, (commands: readonly Command[]) => string>> = {
  bash: commands => `_turnbuckle() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words
  case "\${COMP_WORDS[1]}" in
${commands.map(command => `    ${command.name}) words="${wordsOf(command).join(' ')}" ;;`).join('\n')}
    *) words="" ;;
  esac
  [ "$COMP_CWORD" = 1 ] && words="${commands.map(({ name }) => name).join(' ')} --help --version"
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _turnbuckle turnbuckle`,
  zsh: commands => `#compdef turnbuckle
_turnbuckle() {
  if (( CURRENT == 2 )); then
    local -a names=(${commands.map(({ name, summary }) => `'${name}:${plain(summary).replaceAll(':', '\\:')}'`).join(' ')})
    _describe command names
    return
  fi
  case "$words[2]" in
${commands.map(command => `    ${command.name}) compadd -- ${wordsOf(command).join(' ')} || _files ;;`).join('\n')}
  esac
}
if [ "$funcstack[1]" = _turnbuckle ]; then _turnbuckle "$@"; else compdef _turnbuckle turnbuckle; fi`,
  fish: commands =>
    [
      'complete -c turnbuckle -f',
      `complete -c turnbuckle -n '__fish_seen_subcommand_from ${withFiles(commands)}' -F`,
      ...commands.map(
        ({ name, summary }) => `complete -c turnbuckle -n __fish_use_subcommand -a ${name} -d '${plain(summary)}'`,
      ),
      ...commands.flatMap(({ name, options, words }) => [
        ...words.map(word => `complete -c turnbuckle -n '__fish_seen_subcommand_from ${name}' -a ${word}`),
        ...Object.entries(options).map(
          ([flag, { does }]) =>
            `complete -c turnbuckle -n '__fish_seen_subcommand_from ${name}' -l ${flag} -d '${plain(does)}'`,
        ),
      ]),
    ].join('\n'),
}

const withFiles = (commands: readonly Command[]): string =>
  commands.flatMap(({ name, takesFile }) => (takesFile ? [name] : [])).join(' ')

/** Between single quotes in any shell. */
const plain = (text: string): string => text.replaceAll("'", '’')

/** The script for a shell; empty where there is none for it. */
export const completionScript = (shell: string, commands: readonly Command[]): string =>
  scripts[shell]?.(commands) ?? ''

export const completionCommand: CommandFunction = async ({ positionals: [shell = ''] }, commands) => {
  printLine(completionScript(shell, commands))
  return 0
}
