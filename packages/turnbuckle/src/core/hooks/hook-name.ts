/** A hook point of a stage. */
export type StagePoint = 'before' | 'wrap' | 'after'
/** A hook point that belongs to no stage. */
export type OnPoint = 'onChunk' | 'onError' | 'onEvent' | 'onOpen' | 'onTrace'

const stagePoints = Object.keys({ before: true, wrap: true, after: true } satisfies Record<StagePoint, true>)
const onPoints = Object.keys({
  onChunk: true,
  onError: true,
  onEvent: true,
  onOpen: true,
  onTrace: true,
} satisfies Record<OnPoint, true>)
const stageHook = new RegExp(`^(${stagePoints.join('|')})[A-Z]`)

const capital = (stage: string): string => stage.charAt(0).toUpperCase() + stage.slice(1)
export const hookName = (point: string, stage: string): string => point + capital(stage)
export const hookNames = (stages: readonly string[]): string[] => [
  ...stages.flatMap(stage => stagePoints.map(point => hookName(point, stage))),
  ...onPoints,
]

/** True for a name by the rule, whether or not there is such a stage. */
export const isHookName = (name: string): boolean => onPoints.includes(name) || stageHook.test(name)

/** True for the name of an after hook: these run in reverse. */
export const isAfter = (name: string): boolean => /^after[A-Z]/.test(name)
