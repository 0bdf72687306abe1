import { fork } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
const ask = (url, { method = 'GET', token, body, onData } = {}) =>
  new Promise((resolve, reject) => {
    const req = request(
      url,
      {
        method,
        agent,
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body && { 'content-type': 'application/json' }),
        },
      },
      res => {
        let text = ''
        res.setEncoding('utf8')
        if (onData) {
          resolve(res)
          res.on('data', onData)
          return
        }
        res.on('data', chunk => {
          text += chunk
        })
        res.on('end', () => (res.statusCode < 300 ? resolve(text) : reject(new Error(`${res.statusCode} ${text}`))))
      },
    )
    req.on('error', reject)
    req.end(body && JSON.stringify(body))
  })

export const clients = {
  async turnbuckle({ url, token }) {
    const { id } = JSON.parse(await ask(`${url}/api/conversations`, { method: 'POST', token, body: {} }))
    let done
    let rest = ''
    const stream = await ask(`${url}/api/conversations/${id}/events`, {
      token,
      onData(chunk) {
        rest += chunk
        if (rest.includes('"type":"turn.completed"')) {
          rest = ''
          done()
        } else if (rest.includes('"type":"turn.failed"')) {
          console.log(rest)
          process.exit(1)
        } else rest = rest.slice(-40)
      },
    })
    return {
      async turn() {
        const over = new Promise(resolve => {
          done = resolve
        })
        await ask(`${url}/api/conversations/${id}/turns`, { method: 'POST', token, body: { text: 'go' } })
        await over
      },
      close: () => stream.destroy(),
    }
  },
}

const say = (child, message) =>
  new Promise(resolve => {
    child.once('message', resolve)
    child.send(message)
  })
const sizeOf = folder =>
  !existsSync(folder)
    ? 0
    : readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter(f => f.isFile() && /\.db$/.test(f.name))
        .reduce((sum, f) => sum + statSync(join(f.parentPath ?? f.path, f.name)).size, 0)

export async function measure(kind, { conversations, seconds, warm = 2, strace }) {
  const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-http-'))
  const child = fork(new URL('./serve.mjs', import.meta.url), [kind, folder], {
    stdio: 'inherit',
    ...(strace && { execPath: 'strace', execArgv: [] }),
  })
  const at = await new Promise(resolve => child.once('message', resolve))
  const make = clients[kind === 'ai' ? 'ai' : 'turnbuckle']
  const all = await Promise.all(Array.from({ length: conversations }, () => make(at)))
  let until = 0
  const run = async seconds => {
    const times = []
    until = performance.now() + seconds * 1000
    const began = performance.now()
    await Promise.all(
      all.map(async client => {
        while (performance.now() < until) {
          const t = performance.now()
          await client.turn()
          times.push(performance.now() - t)
        }
      }),
    )
    return { times: times.sort((a, b) => a - b), ms: performance.now() - began }
  }
  await run(warm)
  await say(child, 'begin')
  const io = before(child.pid)
  const { times, ms } = await run(seconds)
  const { cpuMs, delayMs, rss } = await say(child, 'end')
  const written = before(child.pid) - io
  for (const client of all) client.close()
  const result = {
    kind,
    conversations,
    turns: times.length,
    perSecond: (1000 * times.length) / ms,
    p50: times[times.length >> 1],
    p99: times[Math.floor(times.length * 0.99)],
    cpu: cpuMs / times.length,
    delayMs,
    kbWritten: written / 1024 / times.length,
    rss: rss / 1e6,
  }
  child.send('close')
  await new Promise(resolve => child.once('exit', resolve))
  rmSync(folder, { recursive: true, force: true })
  return result
}

import { readFileSync } from 'node:fs'

const before = pid => Number(/^write_bytes: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1])

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const [kinds = 'memory,sqlite', counts = '1,50', seconds = '4'] = process.argv.slice(2)
  for (const n of counts.split(','))
    for (const kind of kinds.split(',')) {
      const r = await measure(kind, { conversations: Number(n), seconds: Number(seconds) })
      console.log(
        Object.entries(r)
          .map(([k, v]) => `${k} ${typeof v === 'number' ? v.toFixed(1) : v}`)
          .join('  '),
      )
    }
  process.exit(0)
}
