/** Patterns of services' messages about a request with too many tokens. The first number is the limit. */
const LIMITS: readonly RegExp[] = [
  /maximum (?:context|model|prompt|input) length (?:is|of|\()? ?:?(\d[\d,]*)/i,
  /maximum context length of (\d[\d,]*)/i,
  /> ?(\d[\d,]*) maximum/i,
  /maximum number of tokens allowed \(?(\d[\d,]*)/i,
  /(?:context|limit) (?:size|length|window)[^\d]{0,30}(\d[\d,]*)/i,
  /while limit is (\d[\d,]*)/i,
  /range of input length should be \[\d+, ?(\d[\d,]*)/i,
  /"n_ctx":\s*(\d+)/,
]
/** Numbers below this one in a service's message are not token limits. */
const LEAST = 512

/** Null if the text states no limit. */
export function tokenLimitIn(words: string): number | null {
  for (const limit of LIMITS) {
    const tokens = Number(limit.exec(words)?.[1]?.replaceAll(',', ''))
    if (Number.isSafeInteger(tokens) && tokens >= LEAST) return tokens
  }
  return null
}
