/** The programs' own code that makes an agent of the settings, and the server that watches it. Bundled by bundle.mjs. */
export { middleware, tool } from 'turnbuckle'
export { composeAgent as compose } from '../../packages/cli/src/compose/compose-agent.ts'
export { loadSettings } from '../../packages/cli/src/settings/load-settings.ts'
export { createServer } from '../../packages/server/src/index.ts'
export { setModel } from './models.mjs'
