/** Apart from the scenarios, so that who only starts processes need not load the library. */
export const scenarioNames: readonly string[] = [
  'plain',
  'one tool after another',
  'parallel tools',
  'approval',
  'interjection',
  'fork',
  'rewind',
  'retry',
  'sub-agent',
  'edit',
  'interrupt',
  'long stream',
  'managed loop',
  'hooks with state',
]

/** The same with middleware of the catalogue that keeps, asks or spends. */
export const middlewareNames: readonly string[] = [
  'approval',
  'retry',
  'cost limit',
  'token limit',
  'step limit',
  'circuit breaker',
  'todo',
  'memory',
  'rate limit',
  'tool cache',
  'critic',
  'summarize',
  'structured',
  'continuation',
  'budget with a critic, a retry and a person',
].map(name => `middleware: ${name}`)
