/** Files that programs read by themselves and run what stands in them. A star ends a name that may go on. */
const files: Readonly<Record<string, string>> = {
  ant: 'build.xml',
  ava: 'ava.config.*',
  bundle: 'Gemfile',
  cargo: 'Cargo.toml build.rs',
  cmake: 'CMakeLists.txt',
  composer: 'composer.json',
  deno: 'deno.json deno.jsonc',
  direnv: '.envrc',
  eslint: 'eslint.config.* .eslintrc*',
  gmake: 'GNUmakefile makefile Makefile',
  gradle: 'build.gradle* settings.gradle* init.gradle*',
  gradlew: 'build.gradle* settings.gradle* init.gradle*',
  grunt: 'Gruntfile.*',
  gulp: 'gulpfile.*',
  inv: 'tasks.py',
  invoke: 'tasks.py',
  jest: 'jest.config.* babel.config.*',
  just: 'justfile Justfile .justfile',
  lefthook: 'lefthook.* .lefthook.*',
  'lint-staged': '.lintstagedrc* lint-staged.config.*',
  make: 'GNUmakefile makefile Makefile',
  mise: 'mise.toml .mise.toml',
  mocha: '.mocharc*',
  mvn: 'pom.xml',
  mvnw: 'pom.xml',
  ninja: 'build.ninja',
  nox: 'noxfile.py',
  'pre-commit': '.pre-commit-config.yaml',
  prettier: 'prettier.config.* .prettierrc*',
  pytest: 'conftest.py pytest.ini pyproject.toml setup.cfg tox.ini',
  rake: 'Rakefile rakefile Rakefile.rb',
  rollup: 'rollup.config.*',
  rspec: '.rspec',
  stylelint: 'stylelint.config.* .stylelintrc*',
  task: 'Taskfile.* taskfile.*',
  tox: 'tox.ini',
  turbo: 'turbo.json',
  vite: 'vite.config.*',
  vitest: 'vitest.config.* vite.config.*',
  webpack: 'webpack.config.*',
}
const managers = 'npm npx pnpm pnpx yarn bun bunx'.split(' ')
const managed = '.npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs pnpm-workspace.yaml bunfig.toml'

/** True for a package manager, which runs the scripts of package.json. */
export const isPackageManager = (word: string): boolean => managers.includes(word)

/** The names of files that a program, by its name or path, takes what it runs from. */
export function buildFilesOf(word: string): readonly string[] {
  const program = word.split('/').at(-1) ?? ''
  if (isPackageManager(program)) return managed.split(' ')
  return Object.hasOwn(files, program) ? (files[program] ?? '').split(' ') : []
}

const all = [...new Set([...Object.values(files), managed].flatMap(names => names.split(' ')))]

/** True for a file that a program takes its commands from. */
export function isBuildFile(path: string): boolean {
  const name = path.split('/').at(-1) ?? ''
  return all.some(one => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one))
}
