import { finishedSituations } from './finished-situations.ts'
import type { Situation } from './life.ts'
import { unfinishedSituations } from './unfinished-situations.ts'

/** Every conversation in the fixtures. */
export const situations: readonly Situation[] = [...finishedSituations, ...unfinishedSituations]
