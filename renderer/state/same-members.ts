import { shallow } from 'zustand/shallow'

/**
 * Whether two values are equal, or have the same length and equal members. Lists are not passed to `shallow`, because it would make two
 * maps of each list at each event of a session.
 */
export function sameMembers(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a === b || (a.length === b.length && a.every((member, at) => Object.is(member, b[at])))
  return shallow(a, b)
}
