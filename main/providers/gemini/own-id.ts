/** Ids that we give begin so. */
const OWN = 'gemini_'

/** An id for a call that the service gave none: it follows from the answer and the call's place in it. */
export function ownId(answerId: string | null, index: number): string {
  return `${OWN}${(answerId ?? 'call').slice(-150)}_${index}`
}

/** The id as the service knows it; null: it is one of ours, and calls and results meet by their order. */
export function givenId(id: string): string | null {
  return id.startsWith(OWN) ? null : id
}
