import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createServer } from '@turnbuckle/server'
import { agent } from './agent.js'

const web = join(dirname(fileURLToPath(import.meta.resolve('@turnbuckle/web/package.json'))), 'dist')
const server = await createServer({
  agent,
  web,
  port: Number(process.env['PORT'] ?? 4270),
  token: process.env['TOKEN'],
})
console.log(`Open ${server.url}/#token=${server.token}`)
