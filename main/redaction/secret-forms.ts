import type { SecretForm } from './secret-search.ts'

/** Minimum length in characters. Shorter secrets look like ordinary words: "ollama" is a common key of a local server. */
const SHORTEST_SECRET = 12
/** Length of the lines that `base64` and `openssl` write. */
const BASE64_LINE = 76

/** Dumps of longer secrets (bytes) are not searched for, because they are up to eight times as long as the secret. */
const MAX_DUMPED = 400

/** Minimum length in characters for a line of a multi-line key to count as a secret of its own. */
const SHORTEST_LINE = 20

/**
 * The forms in which commands and services print a secret: unchanged, percent-encoded for an address, escaped for JSON, in base64 at any offset, in digits, and backwards. A multi-line secret is also hidden line by line, because terminals and line numbers add text between its lines.
 */
export function formsOf(name: string, secret: string): readonly SecretForm[] {
  if (secret.length < SHORTEST_SECRET) return []
  const marker = `[hidden by Countersign: ${name}]`
  const bytes = Buffer.from(secret)
  const found = [
    secret,
    ...linesOf(secret),
    ...addressForms(secret),
    ...jsonForms(secret),
    ...base64Forms(bytes),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    ...(bytes.length <= MAX_DUMPED ? dumpedForms(bytes) : []),
    [...secret].toReversed().join(''),
  ].filter((form) => form.length >= SHORTEST_SECRET)
  return [...new Set(found)].map((form) => ({ bytes: Buffer.from(form), marker }))
}

/**
 * The numbers that `od` and `hexdump` write by default (two bytes in one number, the second byte first), the octal numbers of `od -b`, and
 * the bits of `xxd -b`, without the spaces between them.
 */
function dumpedForms(bytes: Buffer): readonly string[] {
  const each = (digits: number, base: number): string => [...bytes].map((byte) => byte.toString(base).padStart(digits, '0')).join('')
  const pairs = (from: number, digits: number, base: number): string =>
    Array.from({ length: Math.floor((bytes.length - from) / 2) }, (_, at) => bytes.readUInt16LE(from + at * 2))
      .map((value) => value.toString(base).padStart(digits, '0'))
      .join('')
  return [each(3, 8), each(8, 2), ...[0, 1].flatMap((from) => [pairs(from, 4, 16), pairs(from, 6, 8)])]
}

/** The frame of a PEM key is not secret, and is the same for all keys. */
function linesOf(secret: string): readonly string[] {
  const lines = secret.split(/\r?\n/).map((line) => line.trim())
  return lines.length === 1 ? [] : lines.filter((line) => line.length >= SHORTEST_LINE && !line.startsWith('-----'))
}

/** Python does not encode the slash, and some tools write the hexadecimal digits in lower case. */
function addressForms(secret: string): readonly string[] {
  const whole = encodeURIComponent(secret.toWellFormed())
  const forms = [whole, whole.replaceAll('%2F', '/')]
  return [...forms, ...forms.map((form) => form.replaceAll(/%[\dA-F]{2}/g, (digits) => digits.toLowerCase()))]
}

/** The JSON forms of JavaScript, PHP (`\/`), Go (`\u0026`), .NET (`\u002B`) and Python (ASCII only). */
function jsonForms(secret: string): readonly string[] {
  const whole = JSON.stringify(secret).slice(1, -1)
  const escaped = (pattern: RegExp, upper = false): string =>
    whole.replaceAll(pattern, (char) => {
      const digits = char.charCodeAt(0).toString(16).padStart(4, '0')
      return `\\u${upper ? digits.toUpperCase() : digits}`
    })
  return [whole, whole.replaceAll('/', '\\/'), escaped(/[<>&]/g), escaped(/[<>&+'`]|[^ -~]/g, true), escaped(/[^ -~]/g)]
}

/**
 * Base64 encodes three bytes at a time, so the same bytes look different at each offset. Characters that depend on the bytes before and
 * after the secret are left out. Tools wrap lines, so the pieces of a long encoding are also forms.
 */
function base64Forms(bytes: Buffer): readonly string[] {
  const whole = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const own = Math.floor(((before + bytes.length) * 8) / 6)
    return text.slice(Math.ceil((before * 8) / 6), own)
  })
  const [first = ''] = whole
  const lines = Array.from({ length: Math.ceil(first.length / BASE64_LINE) }, (_, at) =>
    first.slice(at * BASE64_LINE, (at + 1) * BASE64_LINE),
  )
  return [...whole, ...lines].flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')])
}
