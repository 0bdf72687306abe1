#!/usr/bin/env node
import manifest from '../package.json' with { type: 'json' }

const argv = process.argv.slice(2)

if (argv[0] === '--version' || argv[0] === '-v') process.stdout.write(`${manifest.version}\n`)
else {
  const { runCommandLine } = await import('./command-line/run-command-line.ts')
  process.exitCode = await runCommandLine(argv)
}
