import { BlockList, isIP } from 'node:net'

const internal = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  internal.addSubnet(network, prefix, 'ipv4')

/** The part of IPv6 that is handed out to the world; and, within it, what stands for other addresses or for none. */
const world = new BlockList()
world.addSubnet('2000::', 3, 'ipv6')
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  internal.addSubnet(network, prefix, 'ipv6')

/** True for an address of this machine, its network or nobody. A text that is no address counts as internal. */
export function isInternal(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return internal.check(address, 'ipv4')
  // Outside `world` are ::1, link-local and private addresses, and IPv4 in disguise (::ffff:127.0.0.1, 64:ff9b::7f00:1).
  return version !== 6 || !world.check(address, 'ipv6') || internal.check(address, 'ipv6')
}
