/** How services say how many tokens a request may have when one has too many; the first number is that limit. */
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
/** Below this a number means something else. */
const LEAST = 512

/** Null: the words name no limit. */
export function toldWindow(words: string): number | null {
  for (const limit of LIMITS) {
    const tokens = Number(limit.exec(words)?.[1]?.replaceAll(',', ''))
    if (Number.isSafeInteger(tokens) && tokens >= LEAST) return tokens
  }
  return null
}
