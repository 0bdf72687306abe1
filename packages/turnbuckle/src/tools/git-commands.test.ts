import { analyzeCommand } from 'turnbuckle/tools'
import { describe, expect, test } from 'vitest'

describe('options before the subcommand hide it from no rule', () => {
  test.each<[line: string, parts: string[]]>([
    ['git -C . push', ['git -C . push', 'git push']],
    ['git -C ~/a -P --git-dir x --work-tree=y pus?', ['git -C ~/a -P --git-dir x --work-tree=y pus?', 'git pus?']],
    ['/bin/git --no-pager log -c', ['/bin/git --no-pager log -c', 'git --no-pager log -c', 'git log -c']],
    ['git --version', ['git --version', 'git']],
    ...[
      '-C "a b"',
      '--git-dir x',
      '--work-tree x',
      '--namespace x',
      '--super-prefix x',
      '--shallow-file x',
      '--bare',
    ].map((options): [string, string[]] => [
      `git ${options} push`,
      [`git ${options.replaceAll('"', '')} push`, 'git push'],
    ]),
  ])('%j', (line, parts) => expect(analyzeCommand(line)).toEqual(parts))
})

describe('a file that an option of git names is written', () => {
  test.each<[line: string, parts: string[]]>([
    [
      'git log -1 --output=.git/hooks/pre-commit',
      ['> .git/hooks/pre-commit', 'git log -1 --output=.git/hooks/pre-commit'],
    ],
    ['git diff HEAD --output package.json', ['> package.json', 'git diff HEAD --output package.json']],
    ['git show --outp=x', ['> x', 'git show --outp=x']],
    ['git log --output=/dev/null', ['git log --output=/dev/null']],
    ['git log --output=~/x', ['> ~/x', 'git log --output=~/x']],
    ['git format-patch -o out HEAD~1', ['> out', 'git format-patch -o out HEAD~1']],
    ['git format-patch -noout -1', ['> out', 'git format-patch -noout -1']],
    ['git format-patch --output-dir=out', ['> out', 'git format-patch --output-dir=out']],
    ['git archive -o a.tar HEAD', ['> a.tar', 'git archive -o a.tar HEAD']],
    ['git -C y archive HEAD -vo a.tar', ['> a.tar', 'git -C y archive HEAD -vo a.tar', 'git archive HEAD -vo a.tar']],
    ['git config --file=x user.name n', ['> x', 'git config --file=x user.name n']],
    ['git config -fx user.name n', ['> x', 'git config -fx user.name n']],
    ['git init --separate-git-dir=x sub', ['> x', 'git init --separate-git-dir=x sub']],
    ['git lo? --output=x', ['> x', 'git lo? --output=x']],
  ])('%j', (line, parts) => expect(analyzeCommand(line)).toEqual(parts))
})

test.each([
  'git log --oneline -p -S"x" HEAD~2',
  'git ls-files -o',
  'git push -o ci.skip origin main',
  'git rebase -i --empty=drop HEAD~2',
  'git grep -n --or -e a',
  'git clone --depth 1 -b main a b',
  'git config user.name Ann',
  'git config --get core.pager',
  'git config core.pager',
  'git submodule update --init',
])('%s is a command of git as any other', line => expect(analyzeCommand(line)).toEqual([line.replaceAll('"', '')]))

test.each([
  'git -c alias.p=push p',
  'git --config-env=alias.p=P p',
  'git --exec-path=. p',
  'git -C $(echo . push) x',
  'git -C * x',
  'git reb* -x "rm x"',
  'git rebase $x',
  'git fetch a$IFS--upload-pack=x',
  'git x/y',
  'git cherry-pick --strategy=a/x HEAD~1',
  'git merge -s a/x main',
  'git rebase -x "rm x" HEAD~2',
  'git bisect run rm x',
  'git submodule foreach rm x',
  'git clone --upload-pack "rm x" a',
  'git difftool -x "rm x"',
  // Git takes options shortened, and several short ones in one word.
  ...['--exe="rm x"', '--ex "rm x"', '-ix "rm x"', '-qx"rm x"'].map(option => `git rebase ${option} HEAD~1`),
  ...['fetch', 'pull', 'ls-remote', 'fetch-pack', 'clone'].map(one => `git ${one} --upload-pac="rm x" .`),
  ...['ls-remote', 'fetch-pack', 'push', 'send-pack', 'archive --remote=.'].map(one => `git ${one} --exe="rm x" .`),
  'git push --receive-pac="rm x" . HEAD:x',
  'git send-pack --receive-pack="rm x" . HEAD',
  'git grep --ope="rm x" foo',
  'git grep -lO"rm x" foo',
  'git clone -qu "rm x" . y',
  'git clone --conf core.sshCommand=x a b',
  'git clone --templ=/x a b',
  'git init --templ=/x',
  'git difftool -yx "rm x"',
  'git difftool',
  'git mergetool',
  'git mergetoo?',
  'git instaweb --httpd="rm x"',
  'git send-email --sendmail-cmd="rm x" a',
  'git merge-index rm -a',
  'git for-each-repo --config=a push',
  'git remote-ext a "rm x"',
  'git filter-branch --tree-filter "rm x"',
  'git submodule -q foreach rm x',
  'git config alias.x "!rm x"',
  'git config --global core.pager "rm x"',
  'git log --outp*=x',
])('%s runs what it does not show, or takes it from elsewhere', line => expect(analyzeCommand(line)).toBe('unknown'))
