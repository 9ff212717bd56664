/** What the model is told so that it can do better, behind the fact itself: which names there are, which arguments are taken. */
const ADVICE = /\s(?:There (?:is|are): |Available \w+: |It takes )[^\n]*$/u
/** A pattern that cannot be read, drawn with a mark under the place, by one engine or by several; the line below says why. */
const PATTERN = /regex parse error:\n[^]*?\nerror: (?<why>[^\n]+)/u

/** The fact of a reason, in a sentence, without what only the model can use; all of it where there is nothing else. */
export function shortReason(reason: string): string {
  const pattern = PATTERN.exec(reason)?.groups
  if (pattern) return `The pattern cannot be read: ${pattern['why']?.replace(/\.$/u, '')}.`
  const fact = reason.replace(ADVICE, '').trim()
  return fact === '' ? reason : fact
}
