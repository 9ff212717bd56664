/**
 * Sequences that do not change where text appears, as long as text is only appended: colors, titles, links and clipboard
 * requests, cursor visibility, bracketed paste, keypad and ASCII character set, and erasing to the right of or below the end.
 */
const HARMLESS = /\x1b(?:\[[\d;:]*m|\[0?[JK]|\[\?(?:1|12|25|1004|2004|2026)[hl]|\][^\x07\x1b\x9c]*(?:\x07|\x1b\\)|\(B|[=>])/g
/** Characters that a terminal ignores. */
const IGNORED = /[\x00-\x07\x10-\x1a\x1c-\x1f\x7f]/g
/** Anything except text, tab and line feed. */
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/
/**
 * Maximum length of an unfinished sequence that is held back. A longer sequence, such as an image, is passed to the emulator in pieces.
 */
const LONGEST_KEPT_BACK = 4200
/** An unfinished sequence at the end of a piece. */
const UNFINISHED = /(?:\r|\x1b(?:\[[\d;:?<=>!"'$ ]*|\][^\x07\x1b\x9c]{0,4096}\x1b?|\()?)$/
/**
 * Modes with a lasting effect, after which the emulator remains in use: alternate screen, margins, character sets, insert mode, tab
 * stops.
 */
const STICKY = /[\x0e\x0f\x84\x85\x8d-\x8f\x90\x98\x9b-\x9f]|\x1b(?:\[[\d;]*[rsughlpqtx]|\[[?=>!]|[()*+\-./][^B]|[#%7NOPX\]^_cHlmno|}~])/

/** The readable part of text that is only appended. Null if the text moves the cursor, so that an emulator is needed. */
export function plainText(raw: string): string | null {
  const text = raw.includes('\r') ? raw.replace(/\r\n/g, '\n') : raw
  if (!CONTROL.test(text)) return text
  const stripped = text.replace(HARMLESS, '').replace(IGNORED, '')
  return CONTROL.test(stripped) ? null : stripped
}

/** Length of the unfinished sequence at the end of a piece. It is held back until the rest arrives. */
export function unfinishedLength(text: string): number {
  const end = text.slice(-LONGEST_KEPT_BACK)
  if (!end.endsWith('\r') && !end.includes('\x1b')) return 0
  return UNFINISHED.exec(end)?.[0].length ?? 0
}

/** Whether the text sets a mode with a lasting effect. */
export function setsMode(raw: string): boolean {
  return STICKY.test(raw.replace(HARMLESS, ''))
}
