import type { SecretForm } from './secret-search.ts'

/** Shorter ones are no secrets that can be told from ordinary words: "ollama" is a usual key of a local server. In characters. */
export const SHORTEST_SECRET = 12
/** How long a line is that `base64` and `openssl` write. */
const BASE64_LINE = 76

/** The ways in which commands and services print a secret: as it is, as in an address, in JSON, in base64 at any offset, as hexadecimal digits. */
export function formsOf(name: string, secret: string): readonly SecretForm[] {
  if (secret.length < SHORTEST_SECRET) return []
  const marker = `[hidden by Countersign: ${name}]`
  const bytes = Buffer.from(secret)
  const forms = [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    ...base64Forms(bytes),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
  ]
  const found = [...new Set(forms)].filter((form) => form.length >= SHORTEST_SECRET)
  return found.map((form) => ({ bytes: Buffer.from(form), marker }))
}

/**
 * Base64 reads three bytes at a time, so the same bytes look different at each offset. What depends on the bytes before and behind is left
 * out. Tools wrap lines, so the pieces of a long one are forms too.
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
