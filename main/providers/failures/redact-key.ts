/** Shorter keys are not redacted, because they could match parts of ordinary words. */
const SHORTEST_KEY = 6
const KEY_LIKE = /\b(?:sk|key|AIza)[-_][\w-]{12,}|\bAIza[\w-]{30,}|(?<=\bBearer\s+)[\w.~+/-]{8,}=*/g

/** The text without the key in any encoding, and without anything that looks like a key. */
export function withoutKey(text: string, key: string | null): string {
  return formsOf(key)
    .reduce((clean, form) => clean.replaceAll(form, '[key]'), text)
    .replaceAll(KEY_LIKE, '[key]')
}

/**
 * Returns the key, the parts of the key that are separated by whitespace (an error may quote only one of them), and the key's encodings in
 * URLs and headers.
 */
function formsOf(key: string | null): readonly string[] {
  if (key === null) return []
  const forms = [key, ...key.split(/\s+/), encodeURIComponent(key), Buffer.from(key).toString('base64').replace(/=+$/, '')]
  return [...new Set(forms)].filter((form) => form.length >= SHORTEST_KEY).toSorted((a, b) => b.length - a.length)
}
