import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Rolldown } from 'tsdown'

const installed = new URL('../node_modules/', import.meta.url).pathname

/** Puts the licences of what is bundled beside it, as they ask. `also`: packages that no module shows, such as fonts. */
export function thirdParty(also: readonly string[] = []): Rolldown.Plugin {
  return {
    name: 'third-party',
    generateBundle(_options, bundle) {
      const ids = Object.values(bundle).flatMap(output => (output.type === 'chunk' ? output.moduleIds : []))
      const folders = new Set([...ids.flatMap(packageOf), ...also.map(name => join(installed, name))])
      const notices = new Set(Array.from(folders, noticeOf).sort())
      this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY.txt', source: [...notices].join('\n') })
    },
  }
}

const packageOf = (id: string): string[] => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []

function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find(entry => /^(licen[cs]e|copying|ofl)/i.test(entry))
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : `License: ${license}`
  return `${name} ${version} (${license})\n\n${text}\n`
}
