import { isIP } from 'node:net'
import { TurnbuckleError } from '../../core/base/errors.ts'
import { isInternal } from '../addresses.ts'

/** A list of hosts that may be reached. */
export interface HostList {
  /** Whether the name may be asked for. */
  allows(host: string, port: number): boolean
  /** Whether an address may be connected to that a name which `allows` said yes to stands for. */
  reaches(address: string, port: number): boolean
}

interface Entry {
  readonly host: string
  readonly port: number | undefined
}

const form = /^(\*|(?:\*\.)?[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/i

/**
 * Reads `example.org`, `*.example.org` (names below it, not itself), `*`, each with or without `:port`. Internal addresses, also those
 * that a name stands for, are reached only where the list has the address itself, or `localhost`.
 */
export function hostList(entries: readonly string[]): HostList {
  const list = entries.map(readEntry)
  const fits = (entry: Entry, host: string, port: number) =>
    (entry.port ?? port) === port &&
    (entry.host === '*' ||
      entry.host === host ||
      (entry.host.startsWith('*.') && !isIP(host) && host.endsWith(entry.host.slice(1))))
  const names = (host: string, port: number) => list.some(entry => entry.host === host && fits(entry, host, port))
  return {
    allows: (host, port) => list.some(entry => fits(entry, host.toLowerCase(), port)),
    reaches: (address, port) =>
      !isInternal(address) || names(address, port) || (isLoopback(address) && names('localhost', port)),
  }
}

const isLoopback = (address: string): boolean => address === '127.0.0.1' || address === '::1'

function readEntry(text: string): Entry {
  const [, host, , port] = text.match(form) ?? []
  if (host === undefined)
    throw new TurnbuckleError(
      'sandbox.host',
      `"${text}" names no host. Write "example.org", "*.example.org", "127.0.0.1:3000" or "*", without "https://" and path.`,
    )
  return { host: host.toLowerCase().replace(/^\[|\]$/g, ''), port: port === undefined ? undefined : Number(port) }
}
