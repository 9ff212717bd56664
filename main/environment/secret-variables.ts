import { wordList } from '../../shared/lib/word-list.ts'
/** Words that say, as a part of a variable's name, that the value is a key or a password. */
const SECRET_WORDS: ReadonlySet<string> = new Set(
  wordList('KEY KEYS PASS PAT PW PWD AUTH AUTHORIZATION COOKIE COOKIES WEBHOOK CREDENTIAL CREDENTIALS CREDS SIGNING KEYSTORE BEARER JWT'),
)
/** Endings of such words that are written together with others, as in `PGPASSWORD`. */
const SECRET_ENDING = /(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|APIKEY|ACCESSKEY|PRIVATEKEY)S?$/u
/** Last words of names that tell something about a key or a password, such as where it is. The value can still be one. */
const ABOUT_SECRETS: ReadonlySet<string> = new Set(
  wordList(`
  SOCK SOCKET FILE PATH DIR FOLDER HOST PORT DOMAIN ENDPOINT SERVER REGION NAME USER ID TYPE MODE METHOD PROVIDER ALGORITHM LAYOUT
  LENGTH SIZE LIMIT COUNT TIMEOUT TTL EXPIRY DAYS MINUTES SECONDS ENABLED DISABLED REQUIRED VERSION ISSUER AUDIENCE SCOPE SCOPES
  URL URI TTY
`),
)
/** Names whose words say a secret, but which never contain one. `PWD` is the folder of the shell. */
const NO_SECRETS: ReadonlySet<string> = new Set(['PWD'])

/** Whether a name, split at `_`, `-`, digits and changes of case, says that the variable contains a key or a password. */
function isSecretName(name: string): boolean {
  const words = name
    .replaceAll(/(?<=[a-z])(?=[A-Z])/gu, '_')
    .toUpperCase()
    .split(/[^A-Z]+/u)
    .filter((word) => word !== '')
  if (NO_SECRETS.has(name.toUpperCase())) return false
  // The address of a webhook is the secret itself.
  if (words.includes('WEBHOOK')) return !ABOUT_SECRETS.has(words.at(-1) ?? '') || /^UR[IL]$/u.test(words.at(-1) ?? '')
  return !ABOUT_SECRETS.has(words.at(-1) ?? '') && words.some((word) => SECRET_WORDS.has(word) || SECRET_ENDING.test(word))
}

/** Keys that begin as their services make them, private keys, and the addresses of webhooks. */
const KNOWN_KEY =
  /(?<![\w-])(?<password>gh[opsur]_\w{20,}|github_pat_\w{20,}|sk-[\w-]{20,}|[rs]k_live_\w{16,}|xox[abeoprs]-[\w-]{10,}|xapp-[\w-]{10,}|(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[\w-]{30,}|glpat-[\w-]{15,}|npm_[A-Za-z0-9]{30,}|pypi-[\w-]{30,}|hf_[A-Za-z0-9]{30,}|dop_v1_\w{30,}|shpat_\w{20,}|ya29\.[\w-]{20,}|SG\.[\w-]{16,}\.[\w-]{16,}|eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*|AGE-SECRET-KEY-\w{20,}|https:\/\/hooks\.slack\.com\/services\/[\w/]+)/d
const PRIVATE_KEY = /(?<password>-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[^]*)/d

/** Minimum length of a value that is a secret because it looks random, and the minimum of its entropy in bits for each character. */
const SHORTEST_RANDOM = 32
const RANDOM_BITS = 4.2

/** Whether a text looks as if it were made at random: letters of both cases and digits in no order. Hashes and UUIDs do not. */
function looksRandom(text: string): boolean {
  if (text.length < SHORTEST_RANDOM || text.length > 4_096 || !/^[\w+/=.~-]+$/u.test(text) || /^[.~]?\//u.test(text)) return false
  // A word.
  if (/[a-z]{7}|[A-Z]{7}/u.test(text)) return false
  if (!/[a-z]/u.test(text) || !/[A-Z]/u.test(text) || (text.match(/\d/gu) ?? []).length < 3) return false
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  const shares = [...counts.values()].map((count) => count / text.length)
  return -shares.reduce((sum, share) => sum + share * Math.log2(share), 0) >= RANDOM_BITS
}

/** `scheme://user:password@`, with anything before it, as in `jdbc:postgresql://`. */
const PASSWORD_IN_ADDRESS = /:\/\/[^/\s:@?#]*:(?<password>[^/\s?#]+)@/d
/** `https://token@`: user names without a password are normal only in addresses of ssh and git. */
const TOKEN_IN_ADDRESS = /^https?:\/\/(?<password>[^/\s:@?#]+)@/di
/** `…;Password=x;`, `…?password=x&`, as in connection strings of databases and cloud services. */
const PASSWORD_IN_FIELD =
  /(?:^|[?&;\s])(?:password|passwd|pwd|secret|token|api[_-]?key|access[_-]?key|account[_-]?key|shared[_-]?access[_-]?(?:key|signature)|sig)\s*=\s*(?<password>[^&;\s]+)/di

/**
 * Whether a variable contains a key or a password, judged by the words of its name, or by its value: an address or a connection string, a
 * key whose beginning is known, or a text that looks random.
 */
export function isSecretVariable(name: string, value: string): boolean {
  return isSecretName(name) || passwordIn(value) !== null
}

/**
 * The place of the secret in a variable's value: the complete value if the variable's name is that of a secret, otherwise the password in
 * the value, such as in an address. Null if there is no secret.
 */
export function secretPlace(name: string, value: string): TextPlace | null {
  return isSecretName(name) ? { start: 0, end: value.length } : passwordPlace(value)
}

export interface TextPlace {
  readonly start: number
  readonly end: number
}

/** The password in a value. Null if there is none. */
function passwordIn(value: string): string | null {
  const place = passwordPlace(value)
  return place && value.slice(place.start, place.end)
}

function passwordPlace(value: string): TextPlace | null {
  for (const pattern of [PASSWORD_IN_ADDRESS, TOKEN_IN_ADDRESS, PASSWORD_IN_FIELD, KNOWN_KEY, PRIVATE_KEY]) {
    const place = pattern.exec(value)?.indices?.groups?.['password']
    if (place) return { start: place[0], end: place[1] }
  }
  return looksRandom(value) ? { start: 0, end: value.length } : null
}

/** The parts of a secret variable's value that are hidden in outputs. Paths and ordinary words are not secrets. */
export function secretsIn(value: string): readonly string[] {
  const password = passwordIn(value)
  const parts = password === null ? [value] : [value, password, decoded(password)]
  return parts.filter((part) => looksSecret(part))
}

function looksSecret(text: string): boolean {
  if (/^(?:[~.]?\/|[A-Za-z]:\\)/.test(text)) return false
  return text.length >= 20 || (/[A-Za-z]/.test(text) && /\d/.test(text))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
