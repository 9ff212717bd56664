/** Whether a value is an object with fields, such as one that JSON text contains. Lists and null are none. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Maximum nesting depth of lists and objects in data from others: arguments of calls, frames of streams, lines of the driver. No tool needs
 * even a tenth of this depth. Without a limit, a few thousand levels would make recursive readers and writers of JSON throw an exception.
 */
export const MAX_LEVELS = 128

/**
 * Whether lists and objects are nested more than `most` levels deep in a JSON text. It makes one pass without recursion, and the text
 * need not be valid.
 */
export function isNestedDeeper(jsonText: string, most: number = MAX_LEVELS): boolean {
  // Each level needs at least one character, its opening bracket.
  if (jsonText.length <= most) return false
  let levels = 0
  for (let at = 0; at < jsonText.length; at++) {
    switch (jsonText.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(jsonText, at)
        break
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (++levels > most) return true
        break
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        levels--
        break
      default:
    }
  }
  return false
}

const QUOTE = 0x22
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** The index of the closing quote of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, start, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

/** Whether an odd number of backslashes precedes the quote. */
function isEscaped(text: string, start: number, at: number): boolean {
  let slash = at - 1
  while (slash > start && text.charCodeAt(slash) === 0x5c) slash--
  return (at - 1 - slash) % 2 === 1
}
