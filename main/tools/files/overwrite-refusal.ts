import { byReader, modelOnly, type Reason, reason } from '../../agent/reason.ts'
import type { SeenLines } from '../../../shared/session/events.ts'
import type { PrepareContext } from '../../agent/ports/tool.ts'
import { shownPath } from '../define/tool-path.ts'
import { decodeText, textFormOf } from '../text/encoding.ts'
import { omissionPlaceholder } from '../text/omission-placeholder.ts'
import { CHANGED_SINCE_READ, type Subject, YOU_HAVE } from './file-write.ts'

/**
 * The reason why `content` may not replace an entire file, for example because the agent has not seen all of the file, or because the file
 * has changed. Null if it may.
 */
export function overwriteRefusal({ bytes, place, seen }: Subject, content: string, context: PrepareContext): Reason | null {
  if (bytes === null) return omission(content, '')
  const shown = shownPath(place.shown)
  if (seen === 'changed') return reason`${shown} ${CHANGED_SINCE_READ}`
  const form = textFormOf(bytes)
  if (seen === 'never' && bytes.length > 0) {
    // Outside the project, not even the kind of a file may be revealed without a signature.
    if (form === null && !place.outside)
      return reason`${shown} is a binary file that ${YOU_HAVE} not read, so it is not replaced with text. ${modelOnly('To replace it, delete it first.')}`
    return reason`${shown} exists and ${YOU_HAVE} not read it. ${modelOnly('Read it first, or edit a part of it.')}`
  }
  const lines = context.seenLines(place.path)
  if (lines !== null && place.path.endsWith('.ipynb')) {
    return reason`${BEGINS_YOU_HAVE} seen a rendering of ${shown}, not its actual text. ${modelOnly('Edit its cells or a part of its text, or delete it first.')}`
  }
  if (lines !== null) return partSeen(shown, lines)
  return omission(content, form ? decodeText(bytes.subarray(form.bom), form.encoding) : '')
}

const BEGINS_YOU_HAVE = byReader('You have', 'The agent has')

function partSeen(shown: string, { ranges, total }: SeenLines): Reason {
  const change = 'edit a part of it, or delete it first.'
  if (ranges.length === 0) {
    const readFirst = modelOnly(`Read it first (lines over 50000 characters are not shown completely), ${change}`)
    return reason`${BEGINS_YOU_HAVE} not seen all of ${shown}, and the rest would be lost. ${readFirst}`
  }
  const read = ranges.map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`)).join(', ')
  const readRest = modelOnly(`Read the rest with offset and limit, ${change}`)
  return reason`${BEGINS_YOU_HAVE} read only lines ${read} of ${total} of ${shown}, and the rest would be lost. ${readRest}`
}

function omission(content: string, previous: string): Reason | null {
  const line = omissionPlaceholder(content, previous)
  return line === null
    ? null
    : reason`The content omits code: "${line}". ${modelOnly('The whole file is replaced, so send all of it, or edit a part of it instead.')}`
}
