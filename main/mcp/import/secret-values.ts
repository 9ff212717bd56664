import { secretPlace, type TextPlace } from '../../environment/secret-variables.ts'
import type { ServerEntry } from '../server-entries.ts'

/** An entry in which `${input:NAME}` replaces each value that looks like a secret, plus the values keyed by `input:NAME`. */
interface EntryAndSecrets {
  readonly entry: ServerEntry
  readonly secrets: Readonly<Record<string, string>>
}

/** Headers that contain credentials although their names do not look secret. */
const SIGNS_IN = /^(?:proxy-)?authorization$|^cookie$/iu
/** A word before the secret itself, as in `Bearer abc`. */
const SCHEME = /^(?:bearer|basic|token|apikey)\s+/iu

/** Moves the values that look like secrets out of the entry of the server `name`. A value that already contains `${` is not changed. */
export function withoutSecrets(name: string, entry: ServerEntry): EntryAndSecrets {
  const secrets: Record<string, string> = {}
  const replaced = (variable: string, text: string, place: TextPlace | null): string => {
    const secret = place && text.slice(place.start, place.end)
    if (!place || !secret?.trim() || text.includes('${')) return text
    let free = `input:${variable}`
    for (let count = 2; Object.hasOwn(secrets, free) && secrets[free] !== secret; count++) free = `input:${variable}_${count}`
    secrets[free] = secret
    return `${text.slice(0, place.start)}\${${free}}${text.slice(place.end)}`
  }
  const own = (part: string): string => variableName(`${name}_${part}`)
  if (entry.type === 'stdio') {
    const env = mapped(entry.env, (key, value) => replaced(variableName(key, key), value, secretPlace(key, value)))
    const args = entry.args.map((arg, at) => replaced(own(`argument_${at + 1}`), arg, secretInArgument(arg, entry.args[at - 1])))
    return { entry: { ...entry, env, args }, secrets }
  }
  const headers = mapped(entry.headers, (key, value) => replaced(own(key), value, secretInHeader(key, value)))
  const url = replaced(own('url'), entry.url, secretPlace('', entry.url))
  const { oauth } = entry
  const clientSecret = oauth?.clientSecret && replaced(own('client_secret'), oauth.clientSecret, secretPlace('SECRET', oauth.clientSecret))
  return { entry: { ...entry, url, headers, ...(oauth && { oauth: { ...oauth, ...(clientSecret && { clientSecret }) } }) }, secrets }
}

function secretInHeader(key: string, value: string): TextPlace | null {
  const place = secretPlace(SIGNS_IN.test(key) ? 'TOKEN' : key.replaceAll('-', '_'), value)
  const scheme = SCHEME.exec(value)?.[0].length ?? 0
  return place?.start === 0 ? { start: scheme, end: place.end } : place
}

/**
 * The place of the secret in an argument: `abc` in `--api-key=abc`, in `API_KEY=abc` (as for Docker's `-e`) or after `--api-key`, or the
 * password in an address. Null if there is none.
 */
function secretInArgument(arg: string, before: string | undefined): TextPlace | null {
  const [, start, flag = ''] = /^((?:--?)?([\w-]+)=)/u.exec(arg) ?? []
  if (start !== undefined) {
    const place = secretPlace(flag.replaceAll('-', '_'), arg.slice(start.length))
    return place && { start: place.start + start.length, end: place.end + start.length }
  }
  const [, named = ''] = /^--?([\w-]+)$/u.exec(before ?? '') ?? []
  return arg.startsWith('-') ? null : secretPlace(named.replaceAll('-', '_'), arg)
}

/** Returns `preferred` if it is a valid variable name. Otherwise makes a variable name from the text. */
function variableName(text: string, preferred?: string): string {
  if (preferred !== undefined && /^[A-Za-z_]\w*$/u.test(preferred)) return preferred
  return text
    .replaceAll(/\W/gu, '_')
    .replace(/^(?=\d)/u, '_')
    .toUpperCase()
}

const mapped = (texts: Readonly<Record<string, string>>, change: (key: string, value: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([key, value]) => [key, change(key, value)]))
