/** Prefix of generated ids; Gemini's own never have it. */
const OWN = 'gemini_'

/** An id for a call without one, from the answer's id and the call's index. */
export function ownId(answerId: string | null, index: number): string {
  return `${OWN}${(answerId ?? 'call').slice(-150)}_${index}`
}

/** The service's own id; null: we assigned the id, so calls and results are matched by order. */
export function givenId(id: string): string | null {
  return id.startsWith(OWN) ? null : id
}
