import { optional, textOr } from './fields.ts'

/** Characters of what the service behind a router says. */
const LONGEST = 300

/** The words of an error, with those of the service behind a router: the router itself says no more than that there was one. */
export function withCause(words: string, error: unknown): string {
  const raw = textOr(optional(optional(error)['metadata'])['raw'], '')
  const cause = raw === '' ? '' : messageIn(raw).trim().slice(0, LONGEST)
  return cause === '' || words.includes(cause) ? words : `${words.replace(/[.:\s]+$/, '')}: ${cause}`
}

function messageIn(raw: string): string {
  try {
    const said = optional(JSON.parse(raw))
    const inside = said['error'] ?? said
    return textOr(inside, textOr(optional(inside)['message'], raw))
  } catch {
    return raw
  }
}
