import { type Result, failed, ok } from '../../shared/lib/result.ts'

export interface OutsideLink {
  readonly href: string
  /** As the person has to judge it: in ASCII, with its port. */
  readonly host: string
}

/** Longer ones are no addresses that a person could judge. In characters. */
const LONGEST = 2048

/**
 * Whether an address may be handed to the system's browser (security 1, row 15): https alone, nothing that is read differently by eye and by
 * parser. A failure is a sentence for people.
 */
export function outsideLink(text: string): Result<OutsideLink, string> {
  if (text.length > LONGEST) return failed('The address is too long.')
  if (hasHidden(text)) return failed('The address holds characters that cannot be seen.')
  if (!/^https:\/\/[^/\\]/i.test(text) || text.includes('\\')) return failed('Only https addresses are opened.')
  if (!URL.canParse(text)) return failed('This is no address.')
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return failed('The address holds a user name, which can hide where it leads.')
  return ok({ href: url.href, host: url.host })
}

/** Blanks, control characters, and the invisible and turning ones of Unicode. */
const hasHidden = (text: string): boolean => /[\s\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Z}]/u.test(text)
