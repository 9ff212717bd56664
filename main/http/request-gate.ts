import type { IncomingMessage } from 'node:http'

export interface Refusal {
  readonly status: 403 | 405 | 421
  readonly why: string
}

/** Names of this machine itself. A name that resolves to 127.0.0.1 (DNS rebinding) is not one of them. */
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i

/**
 * Called before anything else is done with a request or upgrade. Returns the reason to refuse it, or null if it is accepted. The host must
 * be a loopback name with any port, because an ssh tunnel may have changed the port. The origin, which browsers send with everything except
 * a plain load of our page, must be exactly that host.
 */
export function refusalOf(request: IncomingMessage): Refusal | null {
  const [host, ...others] = request.headersDistinct.host ?? []
  if (host === undefined || others.length > 0 || !LOOPBACK.test(host))
    return { status: 421, why: 'This server answers to localhost, 127.0.0.1 and [::1] only.' }
  const origins = request.headersDistinct.origin ?? []
  if (origins.some((origin) => origin.toLowerCase() !== `http://${host.toLowerCase()}`))
    return { status: 403, why: 'Only the page of this server may send requests to it.' }
  const isRead = (request.method === 'GET' || request.method === 'HEAD') && request.headers.upgrade === undefined
  if (!isRead && origins.length !== 1) return { status: 403, why: 'The request does not say which page it comes from.' }
  if (isRead && !mayRead(request))
    return { status: 403, why: 'Another page may open this page, but may load nothing else from this server.' }
  return null
}

/**
 * Whether a page may send this read request. Even without `Origin`, browsers report which kind of site a request comes from. Links from
 * other sites may open the page, but no other site may embed or load anything from this server.
 */
function mayRead(request: IncomingMessage): boolean {
  const site = request.headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return true
  return request.url === '/' && request.headers['sec-fetch-mode'] === 'navigate' && request.headers['sec-fetch-dest'] === 'document'
}
