import { BlockList, isIP } from 'node:net'

/**
 * Ranges that lead into this machine, its network or a cloud's own services, or that are nobody's (C16): loopback, private, link-local
 * with the services that give out credentials, shared, multicast, reserved, and the IPv6 forms in which an IPv4 address can hide.
 */
const V4: readonly (readonly [string, number])[] = [
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
]
const V6: readonly (readonly [string, number])[] = [
  ['::', 96],
  ['::ffff:0:0', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
]

/**
 * One list each: Node compares an IPv4 address with the IPv6 ranges of its list too, and so with `::ffff:0:0/96`. Made when first asked:
 * 2 ms of every start otherwise.
 */
function listOf(ranges: typeof V4, family: 'ipv4' | 'ipv6'): () => BlockList {
  let made: BlockList | null = null
  return () => {
    if (made) return made
    made = new BlockList()
    for (const [net, prefix] of ranges) made.addSubnet(net, prefix, family)
    return made
  }
}

const blockedV4 = listOf(V4, 'ipv4')
const blockedV6 = listOf(V6, 'ipv6')

/** Whether an address is one of the open internet. What is no address is not. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !blockedV4().check(address, 'ipv4')
    case 6:
      return !blockedV6().check(address, 'ipv6')
    default:
      return false
  }
}
