import { randomBytes } from 'node:crypto'

/** The placeholder in the built page (`html.cspNonce` of the page's build). In each response, that response's nonce replaces it. */
export const NONCE_PLACEHOLDER = '__CSP_NONCE__'

/** 128 bits, fresh for each response. */
export const freshNonce = (): string => randomBytes(16).toString('base64')

/**
 * The content security policy. In the desktop shell the page has no network access; in the browser shell it can reach only the server that
 * it came from.
 */
export function contentSecurityPolicy(shell: 'desktop' | 'browser', nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `style-src-elem 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "worker-src 'self'",
    `connect-src ${shell === 'desktop' ? "'none'" : "'self'"}`,
    "frame-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Browser features that are disabled for the page. The page only needs to write to the clipboard. */
const NO_FEATURES = [
  'accelerometer',
  'autoplay',
  'camera',
  'clipboard-read',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
]

/** Headers of every response, errors included. There is no CORS header among them, so no other origin can read a response. */
export function securityHeaders(shell: 'desktop' | 'browser', nonce: string): Readonly<Record<string, string>> {
  return {
    'content-security-policy': contentSecurityPolicy(shell, nonce),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': [...NO_FEATURES.map((feature) => `${feature}=()`), 'clipboard-write=(self)'].join(', '),
  }
}
