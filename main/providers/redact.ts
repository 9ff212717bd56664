/** At least this long, a key is looked for; shorter ones would tear ordinary words apart. */
const SHORTEST_KEY = 6
const KEY_LIKE = /\b(?:sk|key|AIza)[-_][\w-]{12,}|\bAIza[\w-]{30,}|(?<=\bBearer\s+)[\w.~+/-]{8,}=*/g

/** The text without the key, whole or as services like to echo it, and without anything else that looks like one (D-56). */
export function redacted(text: string, key: string | null): string {
  const clean = key !== null && key.length >= SHORTEST_KEY ? text.replaceAll(key, '[key]') : text
  return clean.replaceAll(KEY_LIKE, '[key]')
}
