import { createHash } from 'node:crypto'
import { isNestedDeeper } from '../../../shared/lib/json.ts'

/** Maximum number of characters of an id or name. This is OpenAI's limit. */
const LONGEST = 64

/**
 * Makes an id or name that every service accepts. Services allow only some characters and a limited length. The replacement is
 * deterministic, so a call and its result match in every request.
 */
export function wireId(id: string): string {
  if (/^[\w-]{1,64}$/.test(id)) return id
  // Different ids must stay different after replacing and shortening.
  const hash = createHash('sha256').update(id).digest('base64url').slice(0, 16)
  return `${plain(id).slice(0, LONGEST - hash.length - 1)}_${hash}`
}

/** An id of nine letters and digits. If the given id does not have this form, the result is the start of its hash. */
export function shortId(id: string): string {
  if (/^[A-Za-z0-9]{9}$/.test(id)) return id
  return createHash('sha256').update(id).digest('hex').slice(0, 9)
}

/** Makes a name that the service accepts. Two names may become the same, which does no harm, because results are matched by id. */
export function wireName(name: string): string {
  return plain(name).slice(0, LONGEST) || '_'
}

const plain = (text: string): string => text.replaceAll(/[^\w-]/g, '_')

/** A string as JSON. Lone surrogates become U+FFFD, because services cannot read a body with one. */
export function jsonText(text: string): string {
  return JSON.stringify(text.toWellFormed())
}

/** The arguments of a call as a JSON object: the model's text unchanged, or `{}` if it is not an object or nested too deep. */
export function argumentsJson(argsText: string): string {
  // Services parse these arguments recursively too, so deep nesting could break them.
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

/** Any value as JSON without lone surrogates. */
export function wellFormedJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => (typeof member === 'string' ? member.toWellFormed() : member))
}
