import { join } from 'node:path'
import { readHomeFile, writeHomeFile } from '../settings/home-folder.ts'

type Pins = Readonly<Record<string, string>>

/** Hashes of MCP tools as they were first seen, per project, so that a change between two starts is noticed. */
export function mcpPinFile(
  home: string,
  root: string,
): { get(key: string): string | undefined; set(key: string, pin: string): void } {
  const path = join(home, 'mcp-pins.json')
  const all = () => readHomeFile<Readonly<Record<string, Pins>>>(path, {})
  return {
    get: key => all()[root]?.[key],
    set(key, pin) {
      const pins = all()
      writeHomeFile(path, { ...pins, [root]: { ...pins[root], [key]: pin } })
    },
  }
}
