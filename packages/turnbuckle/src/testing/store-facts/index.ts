import type { Fact } from './fact.ts'
import { logFacts } from './log.ts'
import { shelfFacts } from './shelf.ts'
import { treeFacts } from './tree.ts'
import { turnFacts } from './turns.ts'
import { writerFacts } from './writers.ts'

/** Everything that a store must do. */
export const storeFacts: readonly Fact[] = [...logFacts, ...writerFacts, ...treeFacts, ...turnFacts, ...shelfFacts]
