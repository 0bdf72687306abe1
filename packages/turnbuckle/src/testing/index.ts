export { scriptedModel } from './scripted-model.ts'
export { sequentialIds } from './sequential-ids.ts'
export { virtualClock } from './virtual-clock.ts'
