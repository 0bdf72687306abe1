/** A small coding task in a repository of its own, judged by tests. */
export interface EvalTask {
  readonly name: string
  /** What the agent is asked. */
  readonly prompt: string
  /** The repository: texts by path. */
  readonly files: Readonly<Record<string, string>>
  /** Tests for `node --test`, by path. They are put there again before they judge, so that nobody can change them. */
  readonly tests: Readonly<Record<string, string>>
}
