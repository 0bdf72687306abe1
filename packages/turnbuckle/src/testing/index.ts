export { channelConformance, type OpenChannel } from './channel-conformance.ts'
export { type ChannelHub, channelHub, type HubChannel } from './channel-hub.ts'
export { checkHistory } from './check-history.ts'
export {
  type ConformanceCase,
  type CreateAgent,
  hookConformance,
  type RegisterTest,
} from './hook-conformance.ts'
export { type RecordedCall, type Recorder, type RecorderOptions, recorder } from './recorder.ts'
export {
  type ScriptedModel,
  type ScriptedOptions,
  type ScriptedReply,
  type ScriptedStep,
  scriptedModel,
} from './scripted-model.ts'
export { sequentialIds } from './sequential-ids.ts'
export { type OpenStore, storeConformance } from './store-conformance.ts'
export { type VirtualClock, virtualClock } from './virtual-clock.ts'
