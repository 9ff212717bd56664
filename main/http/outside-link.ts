import { type Result, failed, ok } from '../../shared/lib/result.ts'

export interface OutsideLink {
  readonly href: string
  /** The host as the user must check it: in ASCII and with its port. */
  readonly host: string
}

/** Maximum length of an address in characters. A user cannot judge a longer address. */
const LONGEST = 2048

const ALLOWED = /^(?:https:\/\/[^/\\]|http:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?(?:\/|$))/iu

/**
 * Decides whether an address may be opened in the system's browser. Only https addresses are allowed, and http on this computer, where a
 * program under development may serve its page, but none that a user would read differently than a parser. The failure is a sentence for
 * the user.
 */
export function outsideLink(text: string): Result<OutsideLink, string> {
  if (text.length > LONGEST) return failed('The address is too long.')
  if (hasHidden(text)) return failed('The address contains invisible characters.')
  if (!ALLOWED.test(text) || text.includes('\\')) return failed('Only https addresses are opened.')
  if (!URL.canParse(text)) return failed('This is not an address.')
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return failed('The address contains a user name, which can hide where the address leads.')
  return ok({ href: url.href, host: url.host })
}

/** Spaces, control characters, and Unicode's invisible and direction-changing characters. */
const hasHidden = (text: string): boolean => /[\s\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Z}]/u.test(text)
