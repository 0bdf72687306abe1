import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { commandEnvironment } from 'turnbuckle/tools'
import type { EvalTask } from './eval-task.ts'

const run = promisify(execFile)
/** Milliseconds that the tests of a task have. */
const judgeMs = 60_000

/** The folder of a task: a git repository where git is installed. The tests are in it, so that the agent can run them. */
export class TaskRepository {
  readonly root: string
  readonly #task: EvalTask

  private constructor(root: string, task: EvalTask) {
    this.root = root
    this.#task = task
  }

  static async make(task: EvalTask): Promise<TaskRepository> {
    const root = await mkdtemp(join(tmpdir(), `turnbuckle-eval-${task.name}-`))
    const repository = new TaskRepository(root, task)
    await repository.write({ 'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n' })
    await repository.write({ ...task.files, ...task.tests })
    await repository.#commit()
    return repository
  }

  async write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(this.root, path)), { recursive: true })
      await writeFile(join(this.root, path), text)
    }
  }

  /** True where the task's own tests pass, whatever the agent has made of them. */
  async passes(): Promise<boolean> {
    await this.write(this.#task.tests)
    // A test file that is run by itself has the exit code of its tests; `node --test` would start it in a second process.
    const judged = Object.keys(this.#task.tests).map(file =>
      run(process.execPath, [file], {
        cwd: this.root,
        timeout: judgeMs,
        killSignal: 'SIGKILL',
        env: { ...commandEnvironment(process.env), NODE_TEST_CONTEXT: undefined },
      }),
    )
    return (await Promise.allSettled(judged)).every(({ status }) => status === 'fulfilled')
  }

  async remove(): Promise<void> {
    await rm(this.root, { recursive: true, force: true })
  }

  async #commit(): Promise<void> {
    const git = (...args: string[]) =>
      run('git', ['-c', 'user.name=turnbuckle', '-c', 'user.email=eval@localhost', ...args], { cwd: this.root })
    try {
      await git('init', '--quiet')
      await git('add', '--all')
      await git('commit', '--quiet', '--no-gpg-sign', '--message', `The task ${this.#task.name}`)
    } catch {
      // Without git it is a folder: no task needs more.
    }
  }
}
