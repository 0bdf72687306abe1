import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hookScripts } from './hook-scripts.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'turnbuckle-scripts-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

type Files = Readonly<Record<string, string>>
function put(files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}
const scriptsOf = (command: string) =>
  hookScripts([{ event: 'Stop', handler: { type: 'command', command } }] as never, root)
const pathsOf = (command: string) => scriptsOf(command).map(({ path }) => path)

test.each<{ what: string; command: string; files: Files; found: string[] }>([
  {
    what: 'a module without the end of its name',
    command: 'node tools/a.js',
    files: { 'tools/a.js': "require('./util')", 'tools/util.js': 'require("../lib")', 'lib/index.js': '1', 'x.js': '' },
    found: ['lib/index.js', 'tools/a.js', 'tools/util.js'],
  },
  {
    what: 'a module of TypeScript under its name in JavaScript',
    command: 'node tools/a.ts',
    files: { 'tools/a.ts': "import './util.js'", 'tools/util.ts': '1' },
    found: ['tools/a.ts', 'tools/util.ts'],
  },
  {
    what: 'a module beside __dirname',
    command: 'node tools/a.js',
    files: {
      'tools/a.js': "require(path.join(__dirname, 'lib', 'one')); require(__dirname + '/two')",
      'tools/lib/one.js': '1',
      'tools/two.js': '2',
    },
    found: ['tools/a.js', 'tools/lib/one.js', 'tools/two.js'],
  },
  {
    what: 'a folder with a package.json',
    command: 'node tools/a.js',
    files: { 'tools/a.js': "require('./pack')", 'tools/pack/package.json': '{"main":"m.js"}', 'tools/pack/m.js': '1' },
    found: ['tools/a.js', 'tools/pack/m.js', 'tools/pack/package.json'],
  },
  {
    what: 'modules of Python',
    command: 'python3 tools/a.py && python3 -m checks.all',
    files: {
      'tools/a.py': 'import helper\nfrom lib.deep import one, two as three\nfrom .near import x\n',
      'tools/helper.py': '1',
      'tools/lib/__init__.py': '',
      'tools/lib/deep/__init__.py': '',
      'tools/lib/deep/one.py': '1',
      'tools/lib/deep/two.py': '2',
      'tools/near.py': '1',
      'checks/all.py': '1',
      'other.py': '1',
    },
    found: [
      'checks/all.py',
      'tools/a.py',
      'tools/helper.py',
      'tools/lib/__init__.py',
      'tools/lib/deep/__init__.py',
      'tools/lib/deep/one.py',
      'tools/lib/deep/two.py',
      'tools/near.py',
    ],
  },
  {
    what: 'the Makefile, and what it names',
    command: 'make check',
    files: { Makefile: 'include rules.mk\ncheck:\n\t./scripts/check.sh', 'rules.mk': 'x:', 'scripts/check.sh': 'true' },
    found: ['Makefile', 'rules.mk', 'scripts/check.sh'],
  },
  {
    what: 'a Makefile of another folder',
    command: 'make -C sub check',
    files: { 'sub/Makefile': 'check:\n\t./run.sh', 'sub/run.sh': 'true' },
    found: ['sub/Makefile', 'sub/run.sh'],
  },
  {
    what: 'a script of a folder that the line goes to',
    command: 'cd sub && ./run.sh',
    files: { 'sub/run.sh': 'true' },
    found: ['sub/run.sh'],
  },
  {
    what: 'what the scripts of package.json run',
    command: 'npm run lint',
    files: {
      'package.json': '{"scripts":{"lint":"node scripts/lint.js && eslint ."}}',
      'scripts/lint.js': '1',
      'eslint.config.js': "import './rules.js'",
      'rules.js': '1',
      '.npmrc': 'script-shell=./sh',
      sh: '#!/bin/sh',
    },
    found: ['.npmrc', 'eslint.config.js', 'package.json scripts', 'rules.js', 'scripts/lint.js', 'sh'],
  },
  {
    what: 'what a script gives to a build tool',
    command: './go.sh',
    files: { 'go.sh': 'make all', Makefile: 'all:' },
    found: ['Makefile', 'go.sh'],
  },
  {
    what: 'a script of the shell beside a variable',
    command: 'sh scripts/a.sh',
    files: {
      'scripts/a.sh': '. "$DIR/lib.sh"; $(dirname "$0")/other.sh',
      'scripts/lib.sh': '1',
      'scripts/other.sh': '',
    },
    found: ['scripts/a.sh', 'scripts/lib.sh', 'scripts/other.sh'],
  },
  {
    what: 'files that a star stands for',
    command: 'node --test checks/*.test.js',
    files: { 'checks/a.test.js': '1', 'checks/b.test.js': '1', 'checks/c.js': '1' },
    found: ['checks/a.test.js', 'checks/b.test.js'],
  },
  {
    what: 'no page that a script speaks of, and nothing for a star in a comment',
    command: 'npm run lint && node tools/a.js',
    files: {
      'package.json': '{"scripts":{"lint":"node tools/b.js docs","build":"node tools/c.js"}}',
      'tools/a.js': "/** Any of these: * README.md */\nwrite('CHANGELOG.md')",
      'tools/b.js': '1',
      'tools/c.js': '1',
      'README.md': 'tools/c.js',
      'CHANGELOG.md': '',
      'docs/index.md': '',
    },
    found: ['package.json scripts', 'tools/a.js', 'tools/b.js'],
  },
  {
    what: 'scripts of the shell, and programs without an end, that code runs',
    command: 'node a.js && python3 tools/b.py && ruby c.rb',
    files: {
      'a.js':
        "execFileSync('bash', ['scripts/one.sh']); execFileSync('bin/check'); spawn('sh', ['lib/x.zsh', 'lib/y.bash'])",
      'tools/b.py': "subprocess.run(['bash', 'scripts/two.sh']); run(Path(__file__).parent / 'near.sh')",
      'c.rb': "system('sh c.sh')",
      'scripts/one.sh': './deep.run',
      'deep.run': 'true',
      'scripts/two.sh': 'true',
      'bin/check': '#!/bin/sh',
      'lib/x.zsh': 'true',
      'lib/y.bash': 'true',
      'tools/near.sh': 'true',
      'c.sh': 'true',
    },
    found: [
      ...['a.js', 'bin/check', 'c.rb', 'c.sh', 'deep.run', 'lib/x.zsh', 'lib/y.bash'],
      ...['scripts/one.sh', 'scripts/two.sh', 'tools/b.py', 'tools/near.sh'],
    ],
  },
  {
    what: 'a list of commands that code reads',
    command: 'node a.js',
    files: {
      'a.js': "readFileSync('tools/cmds.json'); readFileSync('tools/cmds.yml')",
      'tools/cmds.json': '[]',
      'tools/cmds.yml': '',
    },
    found: ['a.js', 'tools/cmds.json', 'tools/cmds.yml'],
  },
  {
    what: 'what a script with an unusual name runs',
    command: 'bash docs/run.md && npm run odd',
    files: {
      'docs/run.md': './x.sh',
      'docs/x.sh': 'true',
      'package.json': '{"scripts":{"odd":"sh odd.txt"}}',
      'odd.txt': './y.sh',
      'y.sh': 'true',
    },
    found: ['docs/run.md', 'docs/x.sh', 'odd.txt', 'package.json scripts', 'y.sh'],
  },
  {
    what: 'a page that it prints, and not what the page speaks of',
    command: 'cat "$CLAUDE_PROJECT_DIR"/docs/rules.md',
    files: { 'docs/rules.md': 'Look at src/a.js', 'src/a.js': '1' },
    found: ['docs/rules.md'],
  },
  {
    what: 'what a printed page has the shell do',
    command: 'cat docs/rules.md | sh',
    files: { 'docs/rules.md': 'node src/a.js', 'src/a.js': '1' },
    found: ['docs/rules.md', 'src/a.js'],
  },
  {
    what: 'scripts beside one of the shell that computes names',
    command: 'sh hooks/a.sh',
    files: { 'hooks/a.sh': 'for f in *; do . "$f"; done', 'hooks/b.sh': 'true', 'c.sh': 'true' },
    found: ['hooks/a.sh', 'hooks/b.sh'],
  },
  {
    what: 'all code of the folder of a script that computes names',
    command: 'node tools/a.js',
    files: { 'tools/a.js': 'for (const f of list) require(f)', 'tools/rules/b.js': '1', 'tools/x.md': '', 'c.js': '1' },
    found: ['tools/a.js', 'tools/rules/b.js'],
  },
  {
    what: 'a script of code that an interpreter finds without its end, or as a folder',
    command: 'node --no-warnings -r ./near scripts/check && node tools && python3 checks && npx tsx rules/x',
    files: {
      'near.js': '1',
      'scripts/check.js': '1',
      'tools/index.js': '1',
      'checks/__main__.py': '1',
      'rules/x.ts': '1',
      'rules/y.ts': '',
    },
    found: [
      ...['checks/__main__.py', 'near.js', 'package.json scripts', 'rules/x.ts', 'scripts/check.js', 'tools/index.js'],
    ],
  },
  {
    what: "the head of the project's own folder",
    command: 'node .',
    files: { 'package.json': '{"main":"m"}', 'm.js': '1', 'n.js': '' },
    found: ['m.js', 'package.json'],
  },
  {
    what: 'the scripts of the package.json of a folder that the line names',
    command: 'cd sub && npm run lint; npm run lint -w packages/c',
    files: {
      'sub/package.json': '{"scripts":{"lint":"node l.js"}}',
      'sub/l.js': '1',
      'l.js': '',
      'packages/c/package.json': '{"scripts":{"lint":"./c.sh"}}',
      'packages/c/c.sh': '1',
    },
    found: [
      ...['l.js', 'package.json scripts', 'packages/c/c.sh', 'packages/c/package.json scripts'],
      ...['sub/l.js', 'sub/package.json scripts'],
    ],
  },
  {
    what: 'the files that a loop runs one after the other, and a folder of parts',
    command: 'for f in hooks.d/*; do sh "$f"; done; run-parts parts',
    files: { 'hooks.d/one': '1', 'hooks.d/two.sh': '1', 'parts/three': '1', 'other/four': '' },
    found: ['hooks.d/one', 'hooks.d/two.sh', 'parts/three'],
  },
  {
    what: 'a program of a folder that the line puts into PATH',
    command: 'PATH="$CLAUDE_PROJECT_DIR/bin:$PATH" check; PATH=$PWD/more:$PATH other',
    files: { 'bin/check': '1', 'more/other': '1', 'bin/spare': '' },
    found: ['bin/check', 'more/other'],
  },
  {
    what: 'modules of Python behind another statement, on the next line, and by -c',
    command: "python3 a.py; python3 -c 'import four'",
    files: {
      'a.py': 'x = 1; import one\nif x: from two import y\nfrom lib import \\\n    three\n',
      ...{ 'one.py': '1', 'two.py': '1', 'lib/three.py': '1', 'four.py': '1', 'five.py': '' },
    },
    found: ['a.py', 'four.py', 'lib/three.py', 'one.py', 'two.py'],
  },
  {
    what: 'modules of a folder that a script puts into the path of searching',
    command: 'python3 tools/a.py',
    files: {
      'tools/a.py': "sys.path.insert(0, os.path.join(os.path.dirname(__file__), 'lib'))\nimport helper\n",
      'tools/lib/helper.py': '1',
      'tools/lib/other.py': '',
    },
    found: ['tools/a.py', 'tools/lib/helper.py'],
  },
  {
    what: 'modules by the names that package.json gives them',
    command: 'node a.mjs',
    files: {
      'a.mjs': "import '#util'",
      'package.json': '{"imports":{"#util":{"node":"./lib/u.js"}}}',
      'lib/u.js': '1',
    },
    found: ['a.mjs', 'lib/u.js'],
  },
  {
    what: 'code of the folders that a computed name begins with',
    command: 'node tools/a.js && node b.mjs',
    files: {
      'tools/a.js': "require('../rules/' + name)",
      'b.mjs': 'await import(`./more/$' + '{name}.js`)',
      ...{ 'rules/x.js': '1', 'more/y.js': '1', 'other/z.js': '' },
    },
    found: ['b.mjs', 'more/y.js', 'rules/x.js', 'tools/a.js'],
  },
])('a hook is trusted with $what', ({ command, files, found }) => {
  put(files)
  expect(pathsOf(command)).toEqual(found)
})

test('a script that computes names is told as one', () => {
  put({ 'a.js': "import('./' + name)", 'b.js': "import('./c.js'); require('fs')" })
  expect(scriptsOf('node a.js && node b.js').map(({ path, computes }) => [path, computes])).toEqual([
    ['a.js', true],
    ['b.js', undefined],
  ])
})

test('a file is not left out for its length', () => {
  const long = `// ${'x'.repeat(2_100_000)}`
  put({ 'a.js': `${long}1` })
  const [first] = scriptsOf('node a.js')
  put({ 'a.js': `${long}2` })
  const [second] = scriptsOf('node a.js')
  expect(first?.text).toMatch(/^sha256 /)
  expect(first?.text).not.toBe(second?.text)
})

test('files past the most that are followed are named as not covered', () => {
  put(Object.fromEntries(Array.from({ length: 520 }, (_, i) => [`many/f${i}.js`, `${i}`])))
  put({ 'many/all.js': 'require(name)' })
  expect(scriptsOf('node many/all.js').at(-1)).toMatchObject({ beyond: true })
})

test('what lies outside of the project, by a link too, or in node_modules is not among them', () => {
  const outside = mkdtempSync(join(tmpdir(), 'turnbuckle-outside-'))
  writeFileSync(join(outside, 'x.js'), '1')
  symlinkSync(join(outside, 'x.js'), join(root, 'link.js'))
  put({ 'a.js': "require('./link'); require('./node_modules/p/i.js')", 'node_modules/p/i.js': '1' })
  expect(pathsOf('node a.js')).toEqual(['a.js'])
  rmSync(outside, { recursive: true })
})

test('a package.json that names its own folder as its head is read once', () => {
  put({ 'a.js': "require('./pack')", 'pack/package.json': '{"main":"./"}', 'pack/index.js': '1' })
  expect(pathsOf('node a.js')).toEqual(['a.js', 'pack/index.js', 'pack/package.json'])
})

test('a long script is read in one pass', () => {
  put({ 'a.js': Array.from({ length: 100_000 }, (_, i) => `x${i}/y = f(${i})`).join(';') })
  expect(pathsOf('node a.js')).toEqual(['a.js'])
  expect(pathsOf(`node ${'--require '.repeat(10_000)}`)).toEqual([])
})

test.each([
  { what: 'dots', path: 'a.py', text: `from ${'.'.repeat(1_000_000)}` },
  { what: 'lists that never end', path: 'a.py', text: 'from a import (\n'.repeat(100_000) },
  { what: 'blanks', path: 'a.rb', text: `require_relative${' '.repeat(1_000_000)}x` },
])('a script full of $what is read in one pass', ({ path, text }) => {
  put({ [path]: text })
  expect(pathsOf(`ruby ${path}`)).toEqual([path])
})
