import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import packed from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url))

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // A name of a local network: plain HTTP under it is an insecure origin, which loopback is not.
  '--host-resolver-rules=MAP turnbuckle.test 127.0.0.1',
]

/** A real headless Chromium out of npm. The caller closes it. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: await executable(), args: flags })
}

/** Unpacks it once, aside and then renamed: two test files at once must never start half a browser. */
async function executable(): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(modules, '@sparticuz/chromium/package.json'), 'utf8')) as {
    version: string
  }
  const cache = join(modules, '.cache')
  const home = join(cache, `chromium-${version}`)
  if (!existsSync(home)) {
    mkdirSync(cache, { recursive: true })
    const aside = mkdtempSync(join(cache, 'unpacking-'))
    await unpackInto(aside)
    try {
      renameSync(aside, home)
    } catch (error) {
      rmSync(aside, { recursive: true })
      if (!existsSync(home)) throw error
    }
  }
  return join(home, 'chromium')
}

/** The package always unpacks into the system's temporary folder, so that folder is moved for the while. */
async function unpackInto(folder: string): Promise<void> {
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder
  try {
    await packed.executablePath()
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
}
