/** Only so much of the end is looked at, so that a long answer costs no more than a short one. */
const LOOKED_AT = 2_000

/** Where the last whole sentence or line of a text ends; 0 for none. */
export function endOfLastSentence(text: string): number {
  const from = Math.max(0, text.length - LOOKED_AT)
  const last = [...text.slice(from).matchAll(/[.!?:](?=\s|$)|\n/g)].at(-1)
  return last ? from + last.index + 1 : 0
}
