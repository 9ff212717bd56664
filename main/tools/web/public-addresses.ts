import { modelOnly, type ReasonText, reason } from '../../agent/reason.ts'
import { BlockList, isIP } from 'node:net'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import { isLocalhost } from '../../../shared/lib/local-hosts.ts'

/**
 * The IP address of a URL that needs no resolver: a literal address, or a name that always means this machine. Null if the name must be
 * resolved.
 */
export function literalAddress({ hostname }: URL): string | null {
  const host = hostname.replace(/^\[|\]$/gu, '')
  if (isIP(host)) return host
  return isLocalhost(host) ? '127.0.0.1' : null
}

/** The reason why a host is not fetched. `inner` is the host's address inside this machine or network. */
export function innerAddress(host: string, inner: string): string {
  return `${host} is ${host === inner ? '' : `${inner}, `}an address inside this machine or network, which is not fetched.`
}

/**
 * Ranges inside this machine, its network or a cloud's own services, and unassigned ranges: loopback, private, link-local (where clouds
 * provide credentials), shared, multicast, reserved, and the IPv6 forms that can contain an IPv4 address.
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
 * There is one list for each family, because Node also compares an IPv4 address with the IPv6 ranges of a list, and every IPv4 address is
 * in `::ffff:0:0/96`. Each list is made on first use, because otherwise every launch would take 2 ms longer.
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

/** Whether the text is an IP address on the public internet. */
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

/** Maximum number of characters. No page has a longer address, but an address that smuggles out data can be longer. */
const MAX_ADDRESS_CHARS = 2000

/**
 * An address that may be fetched: http or https, without a user name and password. The fragment is removed. The failure is a sentence.
 */
export function webAddress(text: string): Result<URL, ReasonText> {
  if (text.length > MAX_ADDRESS_CHARS) return failed(`The address is longer than ${MAX_ADDRESS_CHARS} characters.`)
  const withScheme = /^[a-z][a-z0-9+.-]*:/iu.test(text.trim()) && !/^[\w.-]+:\d/u.test(text.trim()) ? text.trim() : `https://${text.trim()}`
  const url = URL.parse(withScheme)
  if (!url) return failed(reason`This is not an address. ${modelOnly('Give a complete address, such as https://example.com/page.')}`)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return failed(`Only http and https addresses are fetched, not ${url.protocol}`)
  if (url.username !== '' || url.password !== '')
    return failed('The address contains a user name or password, and Countersign does not send either.')
  url.hash = ''
  return ok(url)
}
