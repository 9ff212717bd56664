import { lookup } from 'node:dns/promises'
import type { FetchParts } from './fetch-page.ts'
import { isPublicAddress } from './public-address.ts'

/** The web as the system's resolver knows it, without this machine and its network. */
export const OPEN_WEB: FetchParts = {
  resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  isAllowed: isPublicAddress,
}
