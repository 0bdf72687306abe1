export { type RestateRunnerOptions, restateRunner } from './restate-runner.ts'
export { type RestateWorker, type RestateWorkerOptions, restateWorker } from './restate-worker.ts'
