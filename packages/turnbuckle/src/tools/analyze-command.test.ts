import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { array, assert, constantFrom, property } from 'fast-check'
import { analyzeCommand } from 'turnbuckle/tools'
import { describe, expect, test } from 'vitest'

describe('every command in a line is found', () => {
  test.each<[line: string, parts: string[]]>([
    ['ls -la', ['ls -la']],
    ['ls && rm x', ['ls', 'rm x']],
    ['ls&&rm x', ['ls', 'rm x']],
    ['ls || rm x', ['ls', 'rm x']],
    ['ls; rm x', ['ls', 'rm x']],
    ['ls | rm x', ['ls', 'rm x']],
    ['ls |& rm x', ['ls', 'rm x']],
    ['ls & rm x', ['ls', 'rm x']],
    ['ls\nrm x', ['ls', 'rm x']],
    ['(ls; rm x)', ['ls', 'rm x']],
    ['echo $(rm x)', ['rm x', '$(rm x)', 'echo $(rm x)']],
    ['echo "$(rm x)"', ['rm x', '$(rm x)', 'echo $(rm x)']],
    ['echo `rm x`', ['rm x', '`rm x`', 'echo `rm x`']],
    ['echo "`rm x`"', ['rm x', '`rm x`', 'echo `rm x`']],
    ['echo $(ls $(rm x))', ['rm x', '$(rm x)', 'ls $(rm x)', '$(ls $(rm x))', 'echo $(ls $(rm x))']],
    ['echo "a)" $(ls ")") b', ['ls )', '$(ls ")")', 'echo a) $(ls ")") b']],
    ['echo ok # rm x', ['echo ok']],
    ['echo ok # it\nrm x', ['echo ok', 'rm x']],
    ['/bin/rm x', ['/bin/rm x', 'rm x']],
    ['rm    -rf   x', ['rm -rf x']],
  ])('%j', (line, parts) => expect(analyzeCommand(line)).toEqual(parts))
})

describe('what a program runs for others is found too', () => {
  test.each<[line: string, parts: string[]]>([
    ['env rm x', ['rm x', 'env rm x']],
    ['env', ['env']],
    ['env -i -u A --chdir=b -- /bin/rm x', ['/bin/rm x', 'rm x', 'env -i -u A --chdir=b -- /bin/rm x']],
    ['sudo ls', ['ls', 'sudo ls']],
    ['sudo -n -u root env rm x', ['rm x', 'env rm x', 'sudo -n -u root env rm x']],
    ['sudo git -C a push', ['git -C a push', 'git push', 'sudo git -C a push']],
    ['xargs rm', ['$INPUT', 'rm $INPUT', 'xargs rm']],
    ['ls | xargs -0 -n 1 rm -f', ['ls', '$INPUT', 'rm -f $INPUT', 'xargs -0 -n 1 rm -f']],
    ['xargs', ['$INPUT', 'echo $INPUT', 'xargs']],
    ['xargs -I{} mv {} x/{}', ['$INPUT', 'mv $INPUT x/$INPUT $INPUT', 'xargs -I{} mv {} x/{}']],
    ['xargs -I F mv F x', ['$INPUT', 'mv $INPUT x $INPUT', 'xargs -I F mv F x']],
    ['find . -name "*.o"', ['find . -name *.o']],
    ['find . -exec rm {} +', ['$FILE', 'rm $FILE', 'find . -exec rm {} +']],
    ['find . -exec rm {} \\; -ok ls \\;', ['$FILE', 'rm $FILE', 'ls', 'find . -exec rm {} ; -ok ls ;']],
    ["npm exec -c 'rm x; ls'", ['rm x', 'ls', 'npm exec -c rm x; ls']],
    ["npm -c 'rm x' exec", ['rm x', 'npm -c rm x exec', 'npm exec']],
    ["npm x --call='rm x'", ['rm x', 'npm x --call=rm x', 'npm exec --call=rm x']],
    ["npm exec --cal 'rm x'", ['rm x', 'npm exec --cal rm x']],
    ['npm exec --package=a -- rm x', ['rm x', 'npm exec --package=a -- rm x']],
    ['npm --prefix a run build', ['npm --prefix a run build', 'npm run build']],
    ['npm run-script build -- -c x', ['npm run-script build -- -c x', 'npm run build -- -c x']],
    ['npm run env -- rm x', ['rm x', 'env rm x', 'npm run env -- rm x']],
    ['npm -s rum env rm x', ['rm x', 'env rm x', 'npm -s rum env rm x', 'npm run env rm x']],
    ['npm publi', ['npm publi', 'npm publish']],
    ['npx -y rm x', ['rm x', 'npx -y rm x']],
    ["npx -p a -c 'rm x'", ['rm x', 'npx -p a -c rm x']],
    ['npm run-s env rm x', ['rm x', 'env rm x', 'npm run-s env rm x', 'npm run env rm x']],
    ['npm runScript env rm x', ['rm x', 'env rm x', 'npm runScript env rm x', 'npm run env rm x']],
    ['npm it', ['npm it', 'npm install-test']],
    ['pnpm exec rm x', ['rm x', 'pnpm exec rm x']],
    ['corepack pnpm@9 exec rm x', ['rm x', 'pnpm exec rm x', 'corepack pnpm@9 exec rm x']],
    ['bundle exec rm x', ['rm x', 'bundle exec rm x']],
    ['uv run rm x', ['rm x', 'uv run rm x']],
    ['uvx rm x', ['rm x', 'uvx rm x']],
    ['poetry run rm x', ['rm x', 'poetry run rm x']],
    ['tar -xzf a.tgz -C b', ['tar -xzf a.tgz -C b']],
    ['tar czf a.tgz IF src/*', ['tar czf a.tgz IF src/*']],
    ['docker -H tcp://a push b', ['docker -H tcp://a push b', 'docker push b']],
    ['docker run --rm -v a:b -it img rm x', ['rm x', 'docker run --rm -v a:b -it img rm x']],
    [
      'docker container exec c env rm x',
      ['rm x', 'env rm x', 'docker container exec c env rm x', 'docker exec c env rm x'],
    ],
    ['docker-compose exec s rm x', ['rm x', 'docker-compose exec s rm x', 'docker compose exec s rm x']],
    ['oc -n a exec p -- rm x', ['rm x', 'oc -n a exec p -- rm x', 'oc exec p -- rm x']],
    ['docker compose -f a run s rm x', ['rm x', 'docker compose -f a run s rm x', 'docker compose run s rm x']],
    ['kubectl -n a delete pod b', ['kubectl -n a delete pod b', 'kubectl delete pod b']],
    ['kubectl exec -it a -c b -- rm x', ['rm x', 'kubectl exec -it a -c b -- rm x']],
  ])('%j', (line, parts) => expect(analyzeCommand(line)).toEqual(parts))
})

describe('quotes and escapes hide no command, and make none', () => {
  test.each<[line: string, parts: string[]]>([
    ["echo 'a; rm x'", ['echo a; rm x']],
    ['echo "a && rm x"', ['echo a && rm x']],
    ["echo '$(rm x)'", ['echo $(rm x)']],
    ['echo \\$\\(rm\\)', ['echo $(rm)']],
    ['echo a\\;b', ['echo a;b']],
    ['r\\m x', ['rm x']],
    ["r''m x", ['rm x']],
    ['"rm" x', ['rm x']],
    ['r\\\nm x', ['rm x']],
    ['echo "a\\"; b"', ['echo a"; b']],
  ])('%j', (line, parts) => expect(analyzeCommand(line)).toEqual(parts))
})

describe('redirects and expansions are parts of their own', () => {
  test.each<[line: string, parts: string[]]>([
    ['echo x > ~/.bashrc', ['> ~/.bashrc', 'echo x']],
    ['echo x >> f', ['>> f', 'echo x']],
    ['echo x >| f', ['> f', 'echo x']],
    ['echo x &> f', ['echo x', '> f']],
    ['echo x &>> f 2>&1; ls', ['echo x', '>> f', 'ls']],
    ['echo x >&- y', ['echo x y']],
    ['echo 2 >f', ['> f', 'echo 2']],
    ['echo a{x}>f', ['> f', 'echo a{x}']],
    ['echo x >& f', ['> f', 'echo x']],
    ['> f', ['> f']],
    ['echo x <> f', ['> f', 'echo x']],
    ['cat < /etc/passwd', ['< /etc/passwd', 'cat']],
    ['echo x>f', ['> f', 'echo x']],
    ['echo x 2>f y', ['> f', 'echo x y']],
    ['echo x2>f', ['> f', 'echo x2']],
    ['make 2>&1 >/dev/null', ['make']],
    ['echo $HOME', ['$HOME', 'echo $HOME']],
    ['cat > $F', ['$F', '> $F', 'cat']],
    ['git {push,-f}', ['{push,-f}', 'git {push,-f}']],
    ['rm -{r,f} x', ['-{r,f}', 'rm -{r,f} x']],
    ['echo {1..9}', ['{1..9}', 'echo {1..9}']],
    ["echo '{a,b}' x@{1}", ['echo {a,b} x@{1}']],
  ])('%j', (line, parts) => expect(analyzeCommand(line)).toEqual(parts))
})

test.each([
  '',
  '   ',
  '# only words',
  '$X -rf /',
  '$(echo rm) x',
  '`echo rm` x',
  '"$X" y',
  'r$()m x',
  '/bin/r? x',
  '{rm,-rf,x}',
  '{ rm x; }',
  '~/x',
  'A=b rm x',
  'PATH=. ls',
  'eval "rm x"',
  'sh -c "rm x"',
  '/bin/bash x',
  'command rm x',
  'exec rm x',
  '. ./x',
  'source x',
  'timeout 5 rm x',
  'find . -delete',
  'env A=b rm x',
  'env -S "rm x"',
  'env $X rm',
  'sudo -i',
  'sudo -s rm x',
  'sudo A=b rm x',
  'sudo sh -c "rm x"',
  'xargs sh -c "rm x"',
  'xargs env',
  'xargs -I{} {} x',
  'xargs --arg-file f rm',
  'find . -exec {} +',
  'find . -exec sh -c "rm x" +',
  'find . -exec rm',
  'find . -fprint f',
  'npm exec -c "$X"',
  'npm exec -yc "rm x"',
  'npm run x --script-shell=./y',
  'npm --unheard-of exec x',
  'npm explore a',
  'npm run $x -- rm x',
  'npx --unheard-of rm x',
  'npx -c "$(ls)"',
  'pnpm --dir a exec rm',
  'docker run --entrypoint rm img x',
  'docker run --unheard-of a rm x',
  'docker exec c sh -c "rm x"',
  'kubectl exec a rm x',
  'kubectl --unheard-of a delete b',
  // A shell may make a subcommand or an option of these.
  'find . -exec$x rm {} +',
  'find $x',
  'find * -name a',
  'find . -exec dd x \\;$x -exec b {} +',
  'find . -exec dd x \\;* -exec b {} +',
  'find a$IFS-delete',
  "git log $['$(rm x)']",
  `ls "$['$(rm x)']"`,
  "((ls '$(rm x)'))",
  "ls && (\\\n(a '$(rm x)'))",
  "sleep 1 & wait -n -p 'a[$(rm x)]'",
  'npm test ---script-shell=./x',
  'npm test a -script-shell=./x',
  'npm test ---userconfig=rc',
  'npm exec ---call="rm x"',
  'npm exec$x -- rm x',
  'npm $x',
  'pnpm exe$x rm x',
  'docker exe* img rm x',
  'docker run $x img rm x',
  'docker compose ru? s rm x',
  'kubectl exe$x pod rm x',
  'kubectl exec $x -- rm x',
  'if true; then rm x; fi',
  'for f in *; do rm $f; done',
  'while :; do rm x; done',
  'case x in x) rm x;; esac',
  'ls() { rm x; }',
  'ls () ( rm x )',
  'a=(1 2)',
  'cat <<EOF\nrm x\nEOF',
  'cat <<<x',
  'cat <(rm x)',
  'tee >(rm x)',
  'cat > >(rm x)',
  "echo $'\\x41'",
  'echo $"x"',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: that is the shell's own way
  'echo ${X:-$(rm x)}',
  'echo $((1+1))',
  'echo "unclosed',
  "echo 'unclosed",
  'echo `unclosed',
  'echo $(unclosed',
  '(ls',
  'ls)',
  'ls \\',
  'ls\r',
  'ls \x1b[2J',
  "echo 'x\x1b[2J'",
  'ｌｓ x',
  // Built-ins of bash that run what a quoted argument says, or change what later words mean.
  "test -v 'a[$(rm x)]'",
  "printf -v 'a[$(rm x)]' x",
  'printf -vPATH /tmp; ls',
  "read 'a[$(rm x)]'",
  'read PATH < f; ls',
  'jobs -x rm x',
  "compgen -C 'rm x'",
  "let 'a[$(rm x)]'",
  "mapfile -C 'rm x' -c 1",
  "getopts x 'a[$(rm x)]'",
  'unset PATH; ls',
  'taskset 1 rm x',
  'setarch x86_64 rm x',
  ...['x86_64', 'i386', 'i686', 'uname26', 'ssh-agent', 'eatmydata', 'chronic', 'dbus-launch'].map(
    one => `${one} rm x`,
  ),
  'sshpass -p a rm x',
  'cpulimit -l 50 rm x',
  'rustup run stable rm x',
  'rustup +nightly run stable rm x',
  'caffeinate -i rm x',
  "rbash -c 'rm x'",
  'cmd /c del x',
  'expect -c "spawn rm x"',
  'ip netns exec a rm x',
  'rbenv exec rm x',
  'volta run rm x',
  '/lib64/ld-linux-x86-64.so.2 /bin/rm x',
  'ld.so /bin/rm x',
  'ls$IFS-la',
  'bash -c "rm x"',
  '\\alias ls=rm',
  'ls \u202e x',
  "echo 'x\u2066'",
  'ls \x9b2J',
  `echo ${'$('.repeat(9)}ls${')'.repeat(9)}`,
  `xargs -I b xargs -I I xargs -I N xargs -I P xargs -I U xargs -I T echo ${'b'.repeat(1000)}`,
  'gdb -batch -ex "shell rm x"',
  'vim -c ":!rm x"',
  ...['vimdiff', 'gvim', 'rvim', 'view', 'rview', 'ex'].map(editor => `${editor} -c ":!rm x" a`),
  'tar --checkpoint=1 --checkpoint-action=exec=sh -cf a .',
  'tar --to-c=sh -xf a',
  'tar -I sh -xf a',
  'tar -xf a $x',
  "tar cIf 'rm x' a.tar f",
  'tar c?f a.tar f',
  'tar cf /dev/null --checkpoint=1 --checkpoint-=exec=sh f',
  'tar -cf a.tar -M --new-=./s f',
  'tar --rmt=./s -cf host:a f',
  'tar -cf a.tar *',
  'gtar -I sh -cf a f',
  'bsdtar --use-compress-program=sh -cf a f',
  'cross-env A=1 rm x',
  'uv --directory a run rm x',
  'uv run --with a rm x',
  'uvx --from a rm x',
  'mise exec node -- rm x',
  'direnv exec . rm x',
  'nix-shell --run "rm x"',
  'nix run a -- rm x',
  'hyperfine "rm x"',
  'echo "$\\\n(rm x)"',
  'echo $\\\n(rm x)',
  'cat <\\\n(rm x)',
  // Shells differ in whether `push` is an argument, and in whether `2`, `{x}` and `10` are.
  'git &>f push',
  'git &>> f push',
  'git &\\\n>f push',
  'git 2>&-push',
  'git <& -push',
  "git >&-'push'",
  "echo >&'$(rm x)'",
  "echo 2>&'`rm x`'",
  'echo >&\\$\\(rm\\ x\\)',
  'git 2\\\n>f push',
  'git ""\\\n2>f push',
  'git {x}>f push',
  'git {x[1]}</dev/null push',
  'rm 10>f x',
  'npm exec -c "echo \\$\\\\\n(rm x)"',
  ...['nyc', 'c8', 'nodemon', 'start-stop-daemon --exec', 'aws-vault exec a --', 'systemd-nspawn -a'].map(
    one => `${one} rm x`,
  ),
  'concurrently "rm x"',
  'sort --compress-prog=./x a',
  'split --filter="rm x" a',
  'install --strip-program=./x -s a b',
  'rsync -e "rm x" a b:c',
  'rsync -ave "rm x" a b:c',
  'scp -S ./x a b:c',
  'sftp -oProxyCommand=./x b',
  'man -P ./x ls',
  'nc -e /bin/sh a 1',
  'tcpdump -w f -G 1 -z ./x',
  'wget --use-askpass=./x a',
  'go test -exec ./x',
  'go build -toolexec=./x',
  'cargo run --config target.x.runner=./x',
  'deno task --eval "rm x"',
  'opam exec -- rm x',
  'lerna exec rm x',
  'fd -HIx rm',
  'fd --exec-batch=rm a',
  'rg --pre ./x a',
  'rg --pre=./x a',
  'bat --pager=./x a',
])('what %j runs cannot be told', line => expect(analyzeCommand(line)).toBe('unknown'))

// With a search that goes back and forth these would take minutes, and nobody would be asked meanwhile.
test.each<[name: string, line: string]>([
  ['braces and commas', `echo ${'{'.repeat(4990)}${','.repeat(4990)}`],
  ['braces and dots', `git -${'{'.repeat(3300)}${'..'.repeat(3300)} x`],
  ['digits', `echo ${'1'.repeat(9990)}`],
])('a line of 10,000 characters with %s is read in one pass', (_name, line) => {
  expect(analyzeCommand(line)).toContain(line)
})

test.each([
  'a 1&&b 2',
  'a;b|c',
  'a "x;b" $(b) `c`',
  "a 'b'\nc",
  'a \\; b & c',
  'a #b\nc',
  'a "$(b)"',
  '(a;b)|c',
  'a 2>&1 b',
  'a\\\nb; a "\\"; b"',
])('a real shell runs exactly the commands found in %j', line => {
  const functions = ['a', 'b', 'c', 'ab'].map(name => `${name}() { echo ${name} >&3; }`).join('\n')
  const script = `exec 3>&1 >/dev/null\n${functions}\n${line}\nwait`
  const ran = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).trim().split('\n')
  const found = (analyzeCommand(line) as string[])
    .map(part => part.split(' ')[0])
    .filter(name => /^\w+$/.test(name ?? ''))
  expect([...new Set(found)].sort()).toEqual([...new Set(ran)].sort())
})

const signs = [
  ...'abc',
  ' ',
  ' ',
  ' ',
  '"',
  "'",
  '\\',
  '$(',
  ')',
  '`',
  ';',
  '&&',
  '||',
  '|',
  '&',
  '\n',
  '#',
  '> f',
  '<',
  '(',
  '{',
  '}',
]
const more = ['$x', '*', 'x', '=', '!', '2>&1', '$', '<<', '[', '-', '~', '/', 'eval ', 'x=', '()', '"$(', ')"', "\\'"]

test('a line that is very long is not looked into', () =>
  expect(analyzeCommand(`echo ${'x'.repeat(10_001)}`)).toBe('unknown'))

const words = ['a ', 'b ', ' c', 'a', ' x ', '; a ', '"x"', " 'x' ", ' && b ', '$(c)', ' | c']

describe.each(['/bin/sh', '/bin/bash'].filter(path => existsSync(path)))('%s', program => {
  test('runs no command and writes no file that was not found, whatever the line', () => {
    const cwd = mkdtempSync(join(tmpdir(), 'turnbuckle-'))
    const functions = ['a', 'b', 'c'].map(name => `${name}() { echo ${name} >&3; }`).join('\n')
    const run = (line: string) =>
      spawnSync(program, ['-c', `exec 3>&1 >/dev/null 2>&1\n${functions}\n${line}\nwait`], {
        cwd,
        env: { PATH: '/nowhere' },
        input: '',
        encoding: 'utf8',
        timeout: 5000,
      }).stdout.match(/[abc]/g) ?? []
    const line = array(constantFrom(...words, ...words, ...signs, ...more), { minLength: 2, maxLength: 14 }).map(
      parts => parts.join(''),
    )
    let understood = 0
    assert(
      property(line, line => {
        const parts = analyzeCommand(line)
        if (parts === 'unknown') return true
        understood++
        const found = parts.map(part => part.split(' ')[0])
        const ran = run(line)
        const written = readdirSync(cwd)
        for (const name of written) rmSync(join(cwd, name))
        return ran.every(name => found.includes(name)) && (!written.length || found.some(sign => /^>/.test(sign ?? '')))
      }),
      { numRuns: 3000, seed: 5 },
    )
    rmSync(cwd, { recursive: true })
    expect(understood).toBeGreaterThan(200)
  })
})
