import type { FailureCause, ProviderFailure } from '../../agent/ports/provider.ts'
import { failure } from './failures.ts'

const DNS = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME', 'EAI_FAIL'])
const UNREACHABLE = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EHOSTDOWN', 'ETIMEDOUT', 'ECONNECTTIMEOUT', 'EADDRNOTAVAIL'])
const TLS =
  /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|EPROTO)|certificate|wrong version number/i

/** The failure for a connection that could not be made, or that broke before any answer. The sentence states the cause. */
export function networkFailure(error: unknown, host: string): ProviderFailure {
  const { code, message, status } = deepest(error)
  const cause = causeOf(code, message)
  const detail = code || message
  switch (cause) {
    case 'dns':
      return failure('network', `The host name ${host} could not be found (DNS, ${detail}).`, { cause })
    case 'refused':
      return failure('network', `Nothing answers at ${host} (connection refused).`, { cause })
    case 'tls':
      return failure('network', `No secure connection to ${host} could be made (TLS, ${detail}).`, { cause, retryable: false })
    case 'unreachable':
      return failure('network', `${host} could not be reached (${detail}).`, { cause })
    case 'proxy':
      if (status === 407) return failure('configuration', `The proxy on the way to ${host} requires authentication (407).`, { cause })
      return failure('network', `The proxy on the way to ${host} refused the connection (${detail}).`, { cause })
    case null:
      return failure('network', `The connection to ${host} failed before an answer arrived (${detail}).`)
  }
}

type NetworkCause = Extract<FailureCause, 'dns' | 'refused' | 'tls' | 'unreachable' | 'proxy'>

function causeOf(code: string, message: string): NetworkCause | null {
  if (DNS.has(code)) return 'dns'
  if (code === 'ECONNREFUSED') return 'refused'
  if (code === 'ERR_PROXY_TUNNEL') return 'proxy'
  if (TLS.test(code) || TLS.test(message)) return 'tls'
  return UNREACHABLE.has(code) ? 'unreachable' : null
}

interface Broken {
  readonly code: string
  readonly message: string
  /** The HTTP status with which a proxy refused to make the connection; null if there is none. */
  readonly status: number | null
}

/**
 * Returns the innermost cause of an error. HTTP clients wrap the cause. If a connection tried several addresses, there is one error per
 * address, and the first one is used.
 */
function deepest(error: unknown): Broken {
  if (error instanceof AggregateError && error.errors.length > 0) return deepest(error.errors[0])
  if (!(error instanceof Error)) return { code: '', message: String(error), status: null }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code === '' && error.cause !== undefined) return deepest(error.cause)
  return { code, message: error.message, status: 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : null }
}
