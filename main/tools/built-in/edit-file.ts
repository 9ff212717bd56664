import { byReader, modelOnly, type ReasonText, reason } from '../../agent/reason.ts'
import { Buffer } from 'node:buffer'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import { type EditFileInput, editFileSpec, type MultiEditInput, multiEditSpec } from '../../../shared/tools/built-in/edit-file.ts'
import { runInSlices } from '../../agent/event-loop-slices.ts'
import type { PrepareContext, Prepared, RunContext, Tool, ToolOutput } from '../../agent/ports/tool.ts'
import { defineTool } from '../define/define-tool.ts'
import { rejected, shownPath } from '../define/tool-path.ts'
import { commitFiles, type Committed } from '../files/commit-files.ts'
import { createFileSet } from '../files/file-set.ts'
import {
  CHANGED_SINCE_READ,
  commitWrite,
  type LineCounter,
  seenAfter,
  type Subject,
  subjectMeant,
  subjectOf,
  unreadPrivate,
  unwritable,
  writeDetails,
  writeEffect,
} from '../files/file-write.ts'
import { doesNotExist } from '../files/near-names.ts'
import { looseEdit } from '../patch/loose-edit.ts'
import { editBytes, type Edited, insertLines } from '../text/edit-bytes.ts'
import { formOfFile, wantedForm } from '../text/editorconfig-charset.ts'
import { PLAIN_UTF8, type TextForm } from '../text/encoding.ts'
import { rewriteInOldEncoding } from '../text/rewrite-in-old-encoding.ts'
import { explainMissedEdit, OLD_TEXT, NEW_TEXT, unclearWords } from '../text/explain-missed-edit.ts'
import { omissionPlaceholder } from '../text/omission-placeholder.ts'
import { showEdits } from '../text/show-edits.ts'

export function createEditFileTool({ countLines }: { readonly countLines: LineCounter }): Tool {
  return defineTool(editFileSpec, async (input, context) => {
    const edited = await editText(input, context)
    if (!edited.ok) return rejected(edited.failure)
    const { subject, bytes, words, changes } = edited.value
    const effect = await writeEffect(subject, bytes, context, countLines)
    const seen = await seenAfter(subject, bytes, context)
    const output = `Edited ${shownPath(effect.shown)}: ${words}.\n${changes}`
    return {
      kind: 'ready',
      effects: [effect],
      commit: async (run) => (await commitWrite(effect, run, seen)) ?? { output, isError: false, details: writeDetails([effect]) },
    }
  })
}

/** Added to the message if a failed edit would match the original file. */
const CHANGED_BEFORE = reason`It would match the original file. ${modelOnly('Use the text as it is after the earlier edits.')}`

/** Makes several edits in one or more files, all or none. Each edit applies to the result of the edits before it. */
export function createMultiEditTool(parts: { readonly countLines: LineCounter }): Tool {
  return defineTool(multiEditSpec, (input, context) => prepareEdits(input, context, parts.countLines))
}

async function prepareEdits({ edits }: MultiEditInput, context: PrepareContext, countLines: LineCounter): Promise<Prepared> {
  const files = createFileSet(context)
  const done: string[] = []
  for (const [index, edit] of edits.entries()) {
    const edited = await editText(edit, files.context)
    if (!edited.ok) {
      const why = index > 0 && (await editText(edit, context)).ok ? reason`${edited.failure}\n${CHANGED_BEFORE}` : edited.failure
      return rejected(reason`Edit ${index + 1} of ${edits.length} failed, so no edit was made: ${why}`)
    }
    const { subject, bytes, words, changes } = edited.value
    await files.edit(subject, bytes)
    done.push(`${index + 1}. ${shownPath(subject.place.shown)}: ${words}.\n${changes}`)
  }
  const effects = await files.effects(countLines)
  if (effects.length === 0) return rejected('Together, the edits would change nothing.')
  return { kind: 'ready', effects, commit: (run) => commitEdits({ effects, seen: files.seen }, done, run) }
}

async function commitEdits(files: Committed, done: readonly string[], run: RunContext): Promise<ToolOutput> {
  const failed = await commitFiles(files, run)
  if (failed) return failed
  const edits = done.length === 1 ? '1 edit' : `${done.length} edits`
  const count = files.effects.length === 1 ? '1 file' : `${files.effects.length} files`
  return { output: [`Made ${edits} in ${count}.`, ...done].join('\n'), isError: false, details: writeDetails(files.effects) }
}

interface EditedText {
  readonly subject: Subject
  readonly bytes: Uint8Array
  /** For example "2 replacements", followed by how the place was found if the match was not exact. */
  readonly words: string
  /** The changed lines. */
  readonly changes: string
}

/** Makes a replacement in memory. */
async function editText(edit: EditFileInput, context: PrepareContext): Promise<Result<EditedText, ReasonText>> {
  const flaw = flawOf(edit)
  if (flaw !== null) return failed(flaw)
  const subject = await (edit.old_string === '' ? subjectOf : subjectMeant)(edit.file_path, context)
  if (!subject.ok) return subject
  const { bytes, place, seen } = subject.value
  const shown = shownPath(place.shown)
  if (bytes === null) {
    if (edit.old_string === '') return ok(await newFile(subject.value, edit.new_string, context))
    return failed(await doesNotExist(context.env, place, 'To create it, leave old_string empty.'))
  }
  if (seen === 'changed') return failed(reason`${shown} ${CHANGED_SINCE_READ}`)
  const unread = unreadPrivate(subject.value)
  if (unread !== null) return failed(unread)
  if (edit.old_string === '' && edit.insert_line === undefined)
    return failed(reason`${OLD_TEXT} must not be empty, because ${shown} exists. ${modelOnly('Give the text to replace.')}`)
  const form = await formOfFile({ bytes, place }, context.files.read)
  if (form === null)
    return failed(
      reason`${shown} is a binary file, so no text in it can be replaced. ${modelOnly('Change it with a command, or regenerate it from its source.')}`,
    )
  const file = { shown, bytes, form }
  const done = await (edit.insert_line === undefined ? replaced(file, edit) : inserted(file, edit.new_string, edit.insert_line))
  if (!done.ok) return done
  const { edited, how = '' } = done.value
  const count = edited.places.length === 1 ? '1 replacement' : `${edited.places.length} replacements`
  const changes = await runInSlices(showEdits(bytes, edited, form))
  return ok({ subject: subject.value, bytes: edited.bytes, words: count + how, changes })
}

interface TextFile {
  readonly shown: string
  readonly bytes: Uint8Array
  readonly form: TextForm
}

/** `how` says how the place was found if the match was not exact. */
type Change = Result<{ readonly edited: Edited; readonly how?: string }, ReasonText>

async function inserted({ shown, bytes, form }: TextFile, text: string, line: number): Promise<Change> {
  const edited = await runInSlices(insertLines(bytes, form, line, text))
  if (edited.ok) return ok({ edited: edited.value })
  const { kind } = edited.failure
  return failed(
    kind === 'encoding'
      ? explainMissedEdit({ kind, which: 'new' }, shown, '', bytes, form)
      : reason`${byReader('insert_line is', 'The text was to be inserted at line')} ${line}, but ${shown} has ${lineCount(edited.failure.lines)}. Nothing was changed.`,
  )
}

const SEND_EXACT = reason`Nothing was changed. ${modelOnly('Read the lines again and send old_string exactly as it is there.')}`

async function replaced({ shown, bytes, form }: TextFile, edit: EditFileInput): Promise<Change> {
  const expected = edit.expected_replacements
  const all = edit.replace_all === true || (expected !== undefined && expected > 1)
  const exact = await runInSlices(editBytes(bytes, form, { old: edit.old_string, new: edit.new_string, all }))
  if (exact.ok && expected !== undefined && exact.value.places.length !== expected) {
    const there = exact.value.places.length === 1 ? 'once' : `${exact.value.places.length} times`
    const as = byReader('as expected_replacements says', 'as the agent expected')
    return failed(reason`${OLD_TEXT} occurs ${there} in ${shown}, not ${expected} times ${as}. Nothing was changed.`)
  }
  if (exact.ok) return ok({ edited: exact.value })
  const loose = exact.failure.kind === 'absent' && !all ? looseEdit(bytes, form, edit.old_string, edit.new_string) : null
  if (!loose) return failed(explainMissedEdit(exact.failure, shown, edit.old_string, bytes, form))
  if (!loose.ok) return failed(reason`${OLD_TEXT} was found in ${shown} only ${unclearWords(loose.failure)}`)
  const { difference } = loose.value
  if (Buffer.compare(loose.value.bytes, bytes) === 0)
    return failed(
      reason`${shown} contains ${byReader('old_string', 'the text to replace')} only ${difference}. Adapted in the same way, ${byReader('new_string', 'the new text')} would change nothing. ${SEND_EXACT}`,
    )
  return ok({ edited: loose.value, how: `, found ${difference} from old_string; check that it is the right place` })
}

const lineCount = (lines: number): string => (lines === 1 ? '1 line' : `${lines} lines`)

/** Other agents create a file by replacing an empty text in a file that does not exist. */
async function newFile(subject: Subject, content: string, context: PrepareContext): Promise<EditedText> {
  const { bytes } = rewriteInOldEncoding(null, content, await wantedForm(subject, context.files.read))
  const places = [{ start: 0, end: bytes.length, oldStart: 0, oldEnd: 0 }]
  const changes = await runInSlices(showEdits(new Uint8Array(0), { bytes, places }, PLAIN_UTF8))
  return { subject, bytes, words: 'a new file', changes }
}

function flawOf({ old_string, new_string, insert_line }: EditFileInput): ReasonText | null {
  if (insert_line !== undefined && old_string !== '') return modelOnly('Give either old_string or insert_line, not both.')
  if (old_string === new_string)
    return reason`${OLD_TEXT} and ${byReader('new_string', 'the new text')} are the same, so the edit would change nothing.`
  const omission = omissionPlaceholder(new_string, old_string)
  if (omission !== null)
    return reason`${NEW_TEXT} omits code: "${omission}". ${modelOnly('It is written to the file exactly as given, so include all of the code.')}`
  return unwritable(old_string, OLD_TEXT) ?? unwritable(new_string, NEW_TEXT)
}
