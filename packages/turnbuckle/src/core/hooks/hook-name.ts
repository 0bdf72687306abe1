/** Hooks that belong to no stage. */
const points: readonly string[] = ['onChunk', 'onError', 'onEvent', 'onOpen', 'onTrace']

const capital = (stage: string): string => stage.charAt(0).toUpperCase() + stage.slice(1)
export const hookName = (point: string, stage: string): string => point + capital(stage)
export const hookNames = (stages: readonly string[]): string[] => [
  ...stages.flatMap(stage => ['before', 'wrap', 'after'].map(point => hookName(point, stage))),
  ...points,
]

/** True for a name by the rule, whether or not there is such a stage. */
export const isHookName = (name: string): boolean => points.includes(name) || /^(before|wrap|after)[A-Z]/.test(name)
