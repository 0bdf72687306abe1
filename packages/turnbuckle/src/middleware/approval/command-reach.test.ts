import { expect, test } from 'vitest'
import { commandReach } from './command-reach.ts'

test.each([
  // Deletes, publishes, or runs code that is on the line.
  { command: 'rm -f build.log', reach: 'once' },
  { command: '/bin/rm build.log', reach: 'once' },
  { command: '> out.txt', reach: 'once' },
  { command: '$(cat list)', reach: 'once' },
  { command: 'node -e 1', reach: 'once' },
  { command: 'python3 -c 1', reach: 'once' },
  { command: 'node', reach: 'once' },
  ...['tclsh', 'irb', 'R --no-save', 'ghci', 'octave --eval x', 'swift -', 'm4'].map(
    command => ({ command, reach: 'once' }) as const,
  ),
  { command: 'git push origin main', reach: 'once' },
  { command: 'awk {print}', reach: 'once' },
  // Obeys what comes through a pipe.
  ...['psql shop', 'sqlite3 -readonly a.db', 'patch -p1', 'ed a', 'make -f -', 'docker build -', 'tar -xf -'].map(
    command => ({ command, reach: 'once' }) as const,
  ),
  ...['psql shop -c select', 'psql -f a.sql', 'sqlite3 a.db select 1', 'patch -i a.patch', 'tar -xf a.tar'].map(
    command => ({ command, reach: 'exact' }) as const,
  ),
  { command: 'cat -', reach: 'alike' },
  // Other arguments would do something else.
  { command: 'curl https://example.com', reach: 'exact' },
  { command: 'node --import ./hook.js main.js', reach: 'exact' },
  { command: 'swift build', reach: 'exact' },
  { command: 'python3 -m unittest code.interact', reach: 'exact' },
  { command: 'git -C .. status', reach: 'exact' },
  { command: 'git checkout main', reach: 'exact' },
  // The beginning says what the command does.
  { command: 'node --test', reach: 'alike' },
  { command: 'python3 -m pytest tests', reach: 'alike' },
  { command: 'git status', reach: 'alike' },
  { command: 'ls src', reach: 'alike' },
])('a yes to `$command` reaches $reach', ({ command, reach }) => {
  expect(commandReach(command)).toBe(reach)
})
