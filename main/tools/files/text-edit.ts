import { Buffer } from 'node:buffer'
import { type Result, failed, ok } from '../../../shared/lib/result.ts'
import type { PrepareContext } from '../../agent/ports/tool.ts'
import { doesNotExist, sameLetters } from './near-names.ts'
import { shownPath } from '../define/outcome.ts'
import { type Edited, editBytes, insertLines } from '../text/edit-bytes.ts'
import { PLAIN_UTF8, textFormOf } from '../text/encoding.ts'
import { explainMiss, unclearWords } from '../text/explain-miss.ts'
import { looseEdit } from '../patch/loose-edit.ts'
import { omissionIn } from '../text/omission.ts'
import { showEdits } from '../text/show-edits.ts'
import { CHANGED_SINCE_READ, type Subject, subjectMeant, unreadOutside, unwritable } from './write-subject.ts'

/** One replacement, as the editing tools take it. */
export interface TextEdit {
  readonly file_path: string
  readonly old_string: string
  readonly new_string: string
  readonly replace_all?: boolean | undefined
  readonly expected_replacements?: number | undefined
  readonly insert_line?: number | undefined
}

export interface EditedText {
  readonly subject: Subject
  readonly bytes: Uint8Array
  /** "2 replacements", and how the place was found if the match was not exact. */
  readonly words: string
  /** The changed lines. */
  readonly changes: string
}

const SEND_EXACT = 'Nothing was changed. Read the lines again and send old_string exactly as it is there.'

/** Makes a replacement in memory. A failure is a sentence for the model. */
export async function editText(edit: TextEdit, context: PrepareContext): Promise<Result<EditedText, string>> {
  const flaw = flawOf(edit)
  if (flaw !== null) return failed(flaw)
  const subject = await subjectMeant(edit.file_path, context, edit.old_string === '' ? sameLetters : undefined)
  if (!subject.ok) return subject
  const { bytes, place, seen } = subject.value
  const shown = shownPath(place.shown)
  if (bytes === null) {
    if (edit.old_string === '') return ok(newFile(subject.value, edit.new_string))
    return failed(await doesNotExist(context.env, place, 'To create it, leave old_string empty.'))
  }
  if (seen === 'changed') return failed(`${shown} ${CHANGED_SINCE_READ}`)
  const unread = unreadOutside(subject.value)
  if (unread !== null) return failed(unread)
  if (edit.old_string === '' && edit.insert_line === undefined)
    return failed(`old_string must not be empty, because ${shown} exists. Give the text to replace.`)
  const form = textFormOf(bytes)
  if (form === null)
    return failed(
      `${shown} is a binary file, so no text in it can be replaced. Change it with a command, or regenerate it from its source.`,
    )
  const done = (edited: Edited, how: string): Result<EditedText, string> => {
    const count = edited.places.length === 1 ? '1 replacement' : `${edited.places.length} replacements`
    return ok({ subject: subject.value, bytes: edited.bytes, words: count + how, changes: showEdits(bytes, edited, form) })
  }
  if (edit.insert_line !== undefined) {
    const inserted = insertLines(bytes, form, edit.insert_line, edit.new_string)
    if (inserted.ok) return done(inserted.value, '')
    const { kind } = inserted.failure
    return failed(
      kind === 'encoding'
        ? explainMiss({ kind, which: 'new' }, shown, '', bytes, form)
        : `insert_line is ${edit.insert_line}, but ${shown} has ${lineCount(inserted.failure.lines)}. Nothing was changed.`,
    )
  }
  const expected = edit.expected_replacements
  const all = edit.replace_all === true || (expected !== undefined && expected > 1)
  const exact = editBytes(bytes, form, { old: edit.old_string, new: edit.new_string, all })
  if (exact.ok && expected !== undefined && exact.value.places.length !== expected) {
    const there = exact.value.places.length === 1 ? 'once' : `${exact.value.places.length} times`
    return failed(`old_string occurs ${there} in ${shown}, not ${expected} times as expected_replacements says. Nothing was changed.`)
  }
  if (exact.ok) return done(exact.value, '')
  const loose = exact.failure.kind === 'absent' && !all ? looseEdit(bytes, form, edit.old_string, edit.new_string) : null
  if (loose?.ok && Buffer.compare(loose.value.bytes, bytes) === 0) {
    return failed(
      `${shown} has old_string only ${loose.value.difference}, and written that way new_string would change nothing. ${SEND_EXACT}`,
    )
  }
  if (loose?.ok) return done(loose.value, `, found ${loose.value.difference} from old_string; check that it is the right place`)
  if (loose) return failed(`old_string was found in ${shown} only ${unclearWords(loose.failure)}`)
  return failed(explainMiss(exact.failure, shown, edit.old_string, bytes, form))
}

const lineCount = (lines: number): string => (lines === 1 ? '1 line' : `${lines} lines`)

/** Other agents create files this way: an empty text is replaced in a file that does not exist. */
function newFile(subject: Subject, content: string): EditedText {
  const bytes = Buffer.from(content, 'utf8')
  const places = [{ start: 0, end: bytes.length, oldStart: 0, oldEnd: 0 }]
  return { subject, bytes, words: 'a new file', changes: showEdits(new Uint8Array(0), { bytes, places }, PLAIN_UTF8) }
}

function flawOf({ old_string, new_string, insert_line }: TextEdit): string | null {
  if (insert_line !== undefined && old_string !== '') return 'Give either old_string or insert_line, not both.'
  if (old_string === new_string) return 'old_string and new_string are the same, so the edit would change nothing.'
  const omission = omissionIn(new_string, old_string)
  if (omission !== null) return `new_string omits code: "${omission}". It goes into the file exactly as written, so write all of it.`
  return unwritable(old_string, 'old_string') ?? unwritable(new_string, 'new_string')
}
