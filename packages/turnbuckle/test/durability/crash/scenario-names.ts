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
