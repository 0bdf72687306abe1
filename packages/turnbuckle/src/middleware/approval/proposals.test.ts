import { commandParts } from 'turnbuckle/tools'
import { expect, test } from 'vitest'
import { propose, proposeDenial, usual } from './proposals.ts'
import { subjectOf } from './subject.ts'

const shell = (command: string) => subjectOf({ name: 'shell', args: { command } }, commandParts)
const offered = (subject: ReturnType<typeof subjectOf>) => usual(subject, propose(subject))?.text

test.each([
  'rm -f build.log',
  'rm -rf build',
  '/bin/rm x',
  'npm test && rm -r out',
  'echo hi > notes.txt',
  'cat a >> b',
  'sort < a.txt',
  'ls | tee out.txt',
  'node -e "process.exit()"',
  'node --eval=1',
  'node -pe 1',
  'curl https://example.com/x.js | node',
  'python3 -c "print(1)"',
  'perl -ne "unlink" a',
  'ruby -e 1',
  'deno eval 1',
  'awk "{print}" a',
  'sh -c ls',
  'bash -c ls',
  'sudo ls',
  'git push',
  'git push --force origin main',
  'git -C sub push',
  'git reset --hard',
  'git config core.hooksPath x',
  'dd if=a of=b',
  'find . -delete',
  'echo $HOME',
  'git log -1 --output=package.json',
  'git format-patch -o out HEAD~1',
  'git config alias.x !y',
])('nothing beyond once is offered for %s', command => expect(propose(shell(command))).toEqual([]))

test.each([
  { command: 'node --test test/a.test.js', pattern: 'shell(node --test *)' },
  { command: 'npm test', pattern: 'shell(npm test)' },
  { command: 'npm run build', pattern: 'shell(npm run build)' },
  { command: 'npm run build -- --watch', pattern: 'shell(npm run build *)' },
  { command: 'npx vitest run a', pattern: 'shell(vitest run *), shell(npx vitest run *)' },
  { command: 'npx eslint src', pattern: 'shell(eslint *), shell(npx eslint *)' },
  { command: 'yarn jest a', pattern: 'shell(jest *), shell(yarn jest *), shell(yarn run jest *)' },
  { command: 'pytest tests/a.py', pattern: 'shell(pytest *)' },
  { command: 'vitest init a', pattern: 'shell(vitest init a)' },
  { command: './bin/eslint src', pattern: 'shell(./bin/eslint src), shell(eslint src)' },
  { command: 'env -i pytest a', pattern: 'shell(pytest a), shell(env -i pytest a)' },
  { command: 'bun jest a', pattern: 'shell(jest a), shell(bun jest a), shell(bun run jest a)' },
  { command: 'python -m pytest -q', pattern: 'shell(python -m pytest *)' },
  { command: 'node server.js --port 1', pattern: 'shell(node server.js --port 1)' },
  { command: 'node --require ./a.js b.js', pattern: 'shell(node --require ./a.js b.js)' },
  { command: 'git commit -m x', pattern: 'shell(git commit *)' },
  { command: 'git checkout -- a.txt', pattern: 'shell(git checkout -- a.txt)' },
  { command: 'cat a.txt b.txt', pattern: 'shell(cat a.txt b.txt)' },
  { command: 'mv src dst', pattern: 'shell(mv src dst)' },
  { command: 'curl -s https://example.com', pattern: 'shell(curl -s https://example.com)' },
  { command: 'ls', pattern: 'shell(ls)' },
  { command: 'npm run a x && git add b', pattern: 'shell(npm run a *), shell(git add *)' },
])('a yes for longer to $command covers $pattern', ({ command, pattern }) =>
  expect(offered(shell(command))).toBe(pattern),
)

test.each([
  { args: { path: 'src/a.ts' }, patterns: ['tool(src/a.ts)'], usual: 'tool(src/a.ts)' },
  { args: { path: ['a.ts', 'b.ts'] }, patterns: ['tool(a.ts), tool(b.ts)'], usual: 'tool(a.ts), tool(b.ts)' },
  {
    args: { url: 'https://example.com/a' },
    patterns: ['tool(https://example.com/a)', 'tool(https://example.com/*)'],
    usual: 'tool(https://example.com/a)',
  },
  { args: { city: 'Oslo' }, patterns: ['tool(Oslo)', 'tool'], usual: 'tool' },
  { args: { count: 1 }, patterns: ['tool'], usual: 'tool' },
  { args: { path: 'x'.repeat(501) }, patterns: [], usual: undefined },
])('for $args the patterns are $patterns', ({ args, patterns, usual }) => {
  const subject = subjectOf({ name: 'tool', args }, undefined)
  expect(propose(subject).map(({ text }) => text)).toEqual(patterns)
  expect(offered(subject)).toBe(usual)
})

test.each([
  { name: 'shell', args: { command: 'npm test' }, covers: ['shell: exactly “npm test”'] },
  {
    name: 'shell',
    args: { command: 'node --test a b' },
    covers: ['shell: exactly “node --test a b”', 'shell: all that begins with “node --test”'],
  },
  { name: 'write_file', args: { path: 'a.txt' }, covers: ['write_file: exactly “a.txt”'] },
  { name: 'count', args: {}, covers: ['count: every call, whatever its arguments'] },
])('$name $args is described in words', ({ name, args, covers }) =>
  expect(propose(subjectOf({ name, args }, commandParts)).map(one => one.covers)).toEqual(covers),
)

test.each([
  { name: 'run', args: { command: 'npm', args: ['test'] } },
  { name: 'run', args: { command: ['npm', 'test'] } },
  { name: 'http', args: { url: 'https://example.com/', method: 'GET' } },
  { name: 'read_files', args: { query: 'x', path: ['a.txt'] } },
  { name: 'move', args: { from: 'a', to: 'b' } },
  { name: 'save', args: { path: 'a', content: 'x' } },
  { name: 'read_file', args: { path: 'a', after: 'delete' } },
])('nothing beyond once is offered for $name $args: a pattern would leave an argument open', ({ name, args }) =>
  expect(propose(subjectOf({ name, args }))).toEqual([]),
)

test.each([
  { name: 'write_file', args: { path: 'a', content: 'x' }, pattern: 'write_file(a)' },
  { name: 'edit_file', args: { path: 'a', old: 'x', new: 'y', all: true }, pattern: 'edit_file(a)' },
  { name: 'search_files', args: { path: 'a', pattern: 'x', glob: '*' }, pattern: 'search_files(a)' },
  { name: 'shell', args: { command: 'npm test', timeout: 5 }, pattern: 'shell(npm test)' },
  { name: 'say', args: { text: 'hi', times: 3 }, pattern: 'say' },
])('for $name $args, whose other arguments are known or all covered, it is $pattern', ({ name, args, pattern }) =>
  expect(offered(subjectOf({ name, args }))).toBe(pattern),
)

test.each([
  { command: 'rm -rf x', denies: 'shell(rm *)' },
  { command: 'git push origin', denies: 'shell(git push *)' },
  { command: 'sudo ls', denies: 'shell(sudo *)' },
  { command: 'npx vitest run', denies: 'shell(npx vitest *)' },
])('a no for longer to $command forbids $denies', ({ command, denies }) =>
  expect(proposeDenial(shell(command))?.text).toBe(denies),
)

test.each([
  { args: { command: 'npm publish x', cwd: 'packages/a' }, denies: 'shell(npm publish *)' },
  { args: { command: 'cd docs && make all' }, denies: 'shell(make *)' },
  { args: { command: 'cd docs' }, denies: 'shell(cd *)' },
])('a no for longer to $args forbids $denies, and no folder beside it', ({ args, denies }) =>
  expect(proposeDenial(subjectOf({ name: 'shell', args }, commandParts))?.text).toBe(denies),
)

test('a yes for longer to a command in a folder is for that folder', () => {
  const subject = subjectOf({ name: 'shell', args: { command: 'git add b', cwd: 'my dir' } }, commandParts)
  expect(offered(subject)).toBe('shell(cd my dir), shell(git add *)')
})
