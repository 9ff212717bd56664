/** Services allow only these in ids and names; what another provider, or a model's slip, put there is replaced, always in the same way. */
export function wireId(id: string): string {
  return /^[\w-]+$/.test(id) ? id : `${id.replaceAll(/[^\w-]/g, '_')}_${checksum(id)}`
}

export function wireName(name: string): string {
  const plain = name.replaceAll(/[^\w-]/g, '_').slice(0, 64)
  return plain === '' ? '_' : plain
}

/** A string as JSON. Halves of surrogate pairs become U+FFFD: a service cannot read a body that holds one. */
export function jsonText(text: string): string {
  return JSON.stringify(text.toWellFormed())
}

/** The arguments of a call as a JSON object: the model's own text, byte for byte; `{}` where that is no object. */
export function argumentsJson(argsText: string): string {
  let torn = !argsText.isWellFormed()
  let value: unknown
  try {
    value = /\\u[dD]/.test(argsText) ? JSON.parse(argsText, (_, member: unknown) => note(member)) : JSON.parse(argsText)
  } catch {
    return '{}'
  }
  function note(member: unknown): unknown {
    if (typeof member === 'string' && !member.isWellFormed()) torn = true
    return member
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return '{}'
  return torn ? wellFormedJson(value) : argsText
}

/** Any value as JSON without halves of surrogate pairs. */
export function wellFormedJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => (typeof member === 'string' ? member.toWellFormed() : member))
}

/** Distinguishes ids that become equal once their special characters are gone (FNV-1a, 32 bits). */
function checksum(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(36)
}
