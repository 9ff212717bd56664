import type { SeenLines } from '../../../shared/session/events.ts'
import type { PrepareContext } from '../../agent/ports/tool.ts'
import { shownPath } from '../define/tool-path.ts'
import { decodeText, textFormOf } from '../text/encoding.ts'
import { omissionPlaceholder } from '../text/omission-placeholder.ts'
import { CHANGED_SINCE_READ, type Subject } from './file-write.ts'

/**
 * The reason why `content` may not replace an entire file, for example because the agent has not seen all of the file, or because the file
 * has changed. Null if it may.
 */
export function overwriteRefusal({ bytes, place, seen }: Subject, content: string, context: PrepareContext): string | null {
  if (bytes === null) return omission(content, '')
  const shown = shownPath(place.shown)
  if (seen === 'changed') return `${shown} ${CHANGED_SINCE_READ}`
  const form = textFormOf(bytes)
  if (seen === 'never' && bytes.length > 0) {
    // Outside the project, not even the kind of a file may be revealed without a signature.
    if (form === null && !place.outside)
      return `${shown} is a binary file that you have not read, so it is not replaced with text. To replace it, delete it first.`
    return `${shown} exists and you have not read it. Read it first, or edit a part of it.`
  }
  const lines = context.seenLines(place.path)
  if (lines !== null && place.path.endsWith('.ipynb')) {
    return `You have seen a rendering of ${shown}, not its actual text. Edit its cells or a part of its text, or delete it first.`
  }
  if (lines !== null) return `${partSeen(shown, lines)} or delete it first.`
  return omission(content, form ? decodeText(bytes.subarray(form.bom), form.encoding) : '')
}

function partSeen(shown: string, { ranges, total }: SeenLines): string {
  const change = 'edit a part of it,'
  if (ranges.length === 0) {
    return `You have not seen all of ${shown}, and the rest would be lost. Read it first (lines over 50000 characters are not shown completely), ${change}`
  }
  const read = ranges.map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`)).join(', ')
  return `You have read only lines ${read} of ${total} of ${shown}, and the rest would be lost. Read the rest with offset and limit, ${change}`
}

function omission(content: string, previous: string): string | null {
  const line = omissionPlaceholder(content, previous)
  return line === null
    ? null
    : `The content omits code: "${line}". The whole file is replaced, so send all of it, or edit a part of it instead.`
}
