import { isIP } from 'node:net'

/** The address that a URL names itself, in letters of no resolver: a literal one, or a name that always means this machine; null: a resolver decides. */
export function literalAddress({ hostname }: URL): string | null {
  const host = hostname.replace(/^\[|\]$/gu, '')
  if (isIP(host)) return host
  return /(?:^|\.)localhost\.?$/u.test(host) ? '127.0.0.1' : null
}

/** Why a host is not fetched, `inner` being the address of it that leads inside. */
export function innerAddress(host: string, inner: string): string {
  return `${host} is ${host === inner ? '' : `${inner}, `}an address inside this machine or network, which is not fetched.`
}
