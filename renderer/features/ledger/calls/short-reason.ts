/** Advice for the model after the fact: which tools there are, which arguments a tool takes. */
const ADVICE = /\s(?:There (?:is|are): |Available \w+: |It takes )[^\n]*$/u
/** An invalid pattern, with a mark under the place and the reason below, from one or more engines. */
const PATTERN = /regex parse error:\n[^]*?\nerror: (?<why>[^\n]+)/u

/** A reason without the advice for the model. If there is nothing else, all of it. */
export function shortReason(reason: string): string {
  const pattern = PATTERN.exec(reason)?.groups
  if (pattern) return `The pattern cannot be read: ${pattern['why']?.replace(/\.$/u, '')}.`
  const fact = reason.replace(ADVICE, '').trim()
  return fact === '' ? reason : fact
}
