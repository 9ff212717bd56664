import { createHash } from 'node:crypto'
import { isNestedDeeper } from '../../../shared/lib/nesting.ts'

/** Characters of an id or a name: OpenAI takes no longer ones. */
const LONGEST = 64

/**
 * Services allow only these characters in ids and names, and so many of them; what another provider, or a model's slip, put there is
 * replaced, always in the same way, so that a call and its result still meet, in each request.
 */
export function wireId(id: string): string {
  if (/^[\w-]{1,64}$/.test(id)) return id
  // Two that look alike once they are plain and short are still two.
  const hash = createHash('sha256').update(id).digest('base64url').slice(0, 16)
  return `${plain(id).slice(0, LONGEST - hash.length - 1)}_${hash}`
}

/** An id of nine letters and digits: itself, where it is one, else what its hash begins with. */
export function shortId(id: string): string {
  if (/^[A-Za-z0-9]{9}$/.test(id)) return id
  return createHash('sha256').update(id).digest('hex').slice(0, 9)
}

/** A call meets its result by its id, so that its name may be one that others become as well. */
export function wireName(name: string): string {
  return plain(name).slice(0, LONGEST) || '_'
}

const plain = (text: string): string => text.replaceAll(/[^\w-]/g, '_')

/** A string as JSON. Halves of surrogate pairs become U+FFFD: a service cannot read a body that holds one. */
export function jsonText(text: string): string {
  return JSON.stringify(text.toWellFormed())
}

/** The arguments of a call as a JSON object: the model's own text, byte for byte; `{}` where that is no object, or one nested too deep. */
export function argumentsJson(argsText: string): string {
  // Services read recursively too.
  if (isNestedDeeper(argsText)) return '{}'
  let torn = !argsText.isWellFormed()
  let value: unknown
  try {
    value = /\\u[dD]/.test(argsText) ? JSON.parse(argsText, (_, member: unknown) => note(member)) : JSON.parse(argsText)
  } catch {
    return '{}'
  }
  function note(member: unknown): unknown {
    if (typeof member === 'string' && !member.isWellFormed()) torn = true
    return member
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return '{}'
  return torn ? wellFormedJson(value) : argsText
}

/** Any value as JSON without halves of surrogate pairs. */
export function wellFormedJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => (typeof member === 'string' ? member.toWellFormed() : member))
}
