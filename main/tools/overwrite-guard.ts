import type { SeenLines } from '../../shared/session/events.ts'
import type { PrepareContext } from '../agent/ports/tool.ts'
import { shownPath } from './outcome.ts'
import { decodeText, textFormOf } from './text/encoding.ts'
import { omissionIn } from './text/omission.ts'
import { CHANGED_SINCE_READ, type Subject } from './write-subject.ts'

/** Why a whole file may not be replaced by `content`: not all of it was seen, or it is something else by now. Null: it may. */
export function overwriteRefusal({ bytes, place, seen }: Subject, content: string, context: PrepareContext): string | null {
  if (bytes === null) return omission(content, '')
  const shown = shownPath(place.shown)
  if (seen === 'changed') return `${shown} ${CHANGED_SINCE_READ}`
  const form = textFormOf(bytes)
  if (seen === 'never' && bytes.length > 0) {
    // Of what lies outside not even the kind is told unasked.
    if (form === null && !place.outside)
      return `${shown} is a binary file, which is not replaced by a text unseen. If it is to go, remove it first, with delete_file or a command.`
    return `${shown} exists and you have not read it. Read it first, or use edit_file to change a part of it.`
  }
  const lines = context.seenLines(place.path)
  if (lines !== null && place.path.endsWith('.ipynb')) {
    return `Of ${shown} you have seen a rendering, not its own text. Change it with notebook_edit or edit_file, or remove it first, with delete_file or a command.`
  }
  if (lines !== null) return `${partSeen(shown, lines)} or remove it first, with delete_file or a command.`
  return omission(content, form ? decodeText(bytes.subarray(form.bom), form.encoding) : '')
}

function partSeen(shown: string, { ranges, total }: SeenLines): string {
  const change = 'use edit_file to change a part of it,'
  if (ranges.length === 0) {
    return `You have not seen ${shown} whole, and the rest would be lost unseen. Read it first (lines of over 50000 characters are not shown whole), ${change}`
  }
  const read = ranges.map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`)).join(', ')
  return `Of ${shown} you have read lines ${read} of ${total}, and the rest would be lost unseen. Read the rest with offset and limit, ${change}`
}

function omission(content: string, previous: string): string | null {
  const line = omissionIn(content, previous)
  return line === null
    ? null
    : `The content leaves something out: "${line}". The whole file is replaced, so send all of it, or use edit_file.`
}
