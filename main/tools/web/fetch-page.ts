import { modelOnly, type ReasonText, reason } from '../../agent/reason.ts'
import { lookup } from 'node:dns/promises'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import { innerAddress, isPublicAddress, webAddress } from './public-addresses.ts'

export interface FetchParts {
  /** All addresses of a host. Rejects if there are none. */
  resolve(host: string): Promise<readonly string[]>
  /** Whether connections to an address are allowed. */
  isAllowed(address: string): boolean
  /** Time limit in ms for one page, including redirects. Default: 30,000. */
  readonly timeLimitMs?: number
}

export interface Page {
  /** The address after redirects. */
  readonly url: URL
  readonly status: number
  /** Media type without parameters, in lower case; empty if the server sent none. */
  readonly type: string
  /** The encoding that the server declares; null if it declares none. */
  readonly charset: string | null
  readonly bytes: Uint8Array
  /** Whether the page is longer than `MAX_PAGE_BYTES`. */
  readonly isCut: boolean
}

/** Maximum number of decompressed bytes of a page. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024
/** Time limit in ms for one page, including redirects. */
const TIME_LIMIT_MS = 30_000
const MAX_REDIRECTS = 5

export type FetchPage = (url: URL, signal: AbortSignal) => Promise<Result<Page, ReasonText>>

/**
 * Fetches a page, with limits on size and time. Before every connection, even after redirects, all addresses of the host must be allowed,
 * and the connection uses exactly those addresses. A redirect to another host is not followed; the failure contains the new address, so
 * that it can be fetched separately. Sends no cookies and no credentials. The failure is a sentence. Rejects only with the signal's reason.
 */
export function createFetchPage(parts: FetchParts): FetchPage {
  const { timeLimitMs = TIME_LIMIT_MS } = parts
  return async (first, signal) => {
    const limit = AbortSignal.timeout(timeLimitMs)
    const either = AbortSignal.any([signal, limit])
    try {
      return await follow(parts, first, either)
    } catch (error) {
      signal.throwIfAborted()
      if (limit.aborted) return failed(`${first.host} did not send the whole page within ${timeLimitMs / 1000} s.`)
      const why = error instanceof Error ? error.message : String(error)
      return failed(
        error instanceof BrokenBody
          ? `${first.host} answered, but the page was cut off: ${why}`
          : `${first.host} could not be reached: ${why}`,
      )
    }
  }
}

/** The server answered, but its response cannot be read to the end. */
class BrokenBody extends Error {}

async function follow(parts: FetchParts, first: URL, signal: AbortSignal): Promise<Result<Page, ReasonText>> {
  let url = first
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const addresses = await abortable(addressesOf(parts, url), signal)
    if (!addresses.ok) return addresses
    const response = await get(url, addresses.value, signal)
    const status = response.statusCode ?? 0
    const location = response.headers.location
    if (status < 300 || status >= 400 || location === undefined) return ok(await read(url, response, signal))
    response.destroy()
    const next = webAddress(URL.parse(location, url)?.href ?? location)
    if (!next.ok) return failed(reason`${url.host} redirects to ${shown(location)}. ${next.failure}`)
    if (next.value.host !== first.host) {
      return failed(
        reason`${url.host} redirects to another host: ${next.value.href}. ${modelOnly('Fetch that address if you need its content.')}`,
      )
    }
    if (first.protocol === 'https:' && next.value.protocol !== 'https:')
      return failed(`${url.host} redirects to a page without encryption: ${next.value.href}.`)
    url = next.value
  }
  return failed(`${first.host} redirects more than ${MAX_REDIRECTS} times.`)
}

async function addressesOf({ resolve, isAllowed }: FetchParts, url: URL): Promise<Result<readonly string[], string>> {
  const host = url.hostname.replace(/^\[|\]$/gu, '')
  const addresses = isIP(host) ? [host] : await resolve(host)
  if (addresses.length === 0) return failed(`${host} has no address.`)
  const inner = addresses.find((address) => !isAllowed(address))
  return inner === undefined ? ok(addresses) : failed(innerAddress(host, inner))
}

function get(url: URL, addresses: readonly string[], signal: AbortSignal): Promise<IncomingMessage> {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  const [first] = all
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    const request = send(url, {
      signal,
      agent: false,
      lookup: (_, options, found) => (options.all ? found(null, all) : found(null, first?.address ?? '', first?.family)),
      headers: {
        accept: 'text/html, text/plain, text/*;q=0.9, application/json;q=0.9, application/pdf;q=0.8, */*;q=0.1',
        'accept-encoding': 'gzip, deflate, br',
        'accept-language': 'en, *;q=0.5',
        'user-agent': 'Mozilla/5.0 (compatible; Countersign coding agent)',
      },
    })
    request.once('response', resolve).once('error', reject).end()
  })
}

async function read(url: URL, response: IncomingMessage, signal: AbortSignal): Promise<Page> {
  const body = unpacked(response)
  const stop = (): void => void body.destroy(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
  signal.addEventListener('abort', stop, { once: true })
  const pieces: Uint8Array[] = []
  let left = MAX_PAGE_BYTES
  try {
    for await (const piece of body as AsyncIterable<Uint8Array>) {
      pieces.push(piece.subarray(0, left))
      left -= piece.length
      if (left < 0) break
    }
  } catch (error) {
    throw new BrokenBody(error instanceof Error ? error.message : String(error), { cause: error })
  } finally {
    signal.removeEventListener('abort', stop)
    response.destroy()
  }
  const [type = '', ...parameters] = (response.headers['content-type'] ?? '').split(';').map((part) => part.trim())
  const charset = parameters.find((part) => /^charset=/iu.test(part))?.replace(/^charset=|"/giu, '') ?? null
  return { url, status: response.statusCode ?? 0, type: type.toLowerCase(), charset, bytes: Buffer.concat(pieces), isCut: left < 0 }
}

function unpacked(response: IncomingMessage): Readable {
  const decoder = decoderOf(response.headers['content-encoding'])
  if (!decoder) return response
  response.once('error', (error) => decoder.destroy(error))
  return response.pipe(decoder)
}

function decoderOf(encoding: string | undefined) {
  switch (encoding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    default:
      return null
  }
}

function shown(location: string): string {
  return JSON.stringify(location.slice(0, 200).toWellFormed())
}

function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error)
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** The public web: hosts are resolved by the system's resolver, and addresses of this machine and its local network are not allowed. */
export const OPEN_WEB: FetchParts = {
  resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  isAllowed: isPublicAddress,
}
