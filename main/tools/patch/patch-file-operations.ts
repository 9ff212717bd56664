import { byReader, modelOnly, type ReasonText, reason } from '../../agent/reason.ts'
import { type Result, failed, ok } from '../../../shared/lib/result.ts'
import type { PathFacts, PrepareContext } from '../../agent/ports/tool.ts'
import type { FileSet } from '../files/file-set.ts'
import { CHANGED_SINCE_READ, linkRefusal, type Subject, subjectOf, unreadPrivate } from '../files/file-write.ts'
import { doesNotExist } from '../files/near-names.ts'
import { shownPath } from '../define/tool-path.ts'
import { overwriteRefusal } from '../files/overwrite-refusal.ts'
import { type TextForm, decodeText } from '../text/encoding.ts'
import { omissionPlaceholder } from '../text/omission-placeholder.ts'
import { formOfFile, wantedForm } from '../text/editorconfig-charset.ts'
import { rewriteInOldEncoding } from '../text/rewrite-in-old-encoding.ts'
import { applyHunks, type Patched } from './apply-hunks.ts'
import { explainPatchMiss } from './explain-patch-miss.ts'
import type { Hunk, PatchOperation } from './patch-model.ts'

export interface OperationResult {
  /** For example "updated a.ts (2 hunks)". */
  readonly words: string
  /** Further sentences for the model. */
  readonly notes: readonly string[]
}

type Operation<K extends PatchOperation['kind']> = Extract<PatchOperation, { kind: K }>
type Done = Promise<Result<OperationResult, ReasonText>>

/** The permission bits of a file mode. */
const MODE_BITS = 0o7777

export async function addFile({ path, content }: Operation<'add'>, files: FileSet): Done {
  const subject = await subjectOf(path, files.context)
  if (!subject.ok) return subject
  const refusal = overwriteRefusal(subject.value, content, files.context)
  if (refusal !== null) return failed(refusal)
  const { bytes, note } = rewriteInOldEncoding(subject.value.bytes, content, await wantedForm(subject.value, files.context.files.read))
  files.write(subject.value, bytes)
  return ok({ words: `added ${shownPath(subject.value.place.shown)}`, notes: note === null ? [] : [note] })
}

export async function deleteFile({ path }: Operation<'delete'>, files: FileSet): Done {
  const subject = await existing(path, files)
  if (!subject.ok) return subject
  const refusal = await linkRefusal(path, files.context)
  if (refusal !== null) return failed(refusal)
  files.remove(subject.value)
  return ok({ words: `deleted ${shownPath(subject.value.place.shown)}`, notes: [] })
}

export async function updateFile(operation: Operation<'update'>, files: FileSet): Done {
  const subject = await existing(operation.path, files, 'To create it, use "*** Add File: " in place of "*** Update File: ".')
  if (!subject.ok) return subject
  const { bytes, place } = subject.value
  const shown = shownPath(place.shown)
  const unread = operation.hunks.length > 0 ? unreadPrivate(subject.value) : null
  if (unread !== null) return failed(unread)
  const form = await formOfFile({ bytes, place }, files.context.files.read)
  if (form === null && operation.hunks.length > 0) return failed(`${shown} is a binary file; hunks cannot be applied to it.`)
  const patched = form === null ? ok({ bytes, places: [] }) : hunksApplied(bytes, form, shown, operation.hunks)
  if (!patched.ok) return patched
  const hunks = operation.hunks.length === 1 ? '1 hunk' : `${operation.hunks.length} hunks`
  const notes = notesOf(patched.value, shown)
  const target = operation.moveTo === null ? null : await moveTarget(operation, subject.value, files)
  if (target && !target.ok) return target
  if (target === null || target.value === null) {
    await files.edit(subject.value, patched.value.bytes)
    return ok({ words: `updated ${shown} (${hunks})`, notes })
  }
  const mode = (await files.context.env.stat(place.path))?.mode
  await files.move(subject.value, target.value, patched.value.bytes, mode === undefined ? undefined : mode & MODE_BITS)
  return ok({ words: `moved ${shown} to ${shownPath(target.value.place.shown)} (${hunks})`, notes })
}

type Existing = Subject & { readonly bytes: Uint8Array }

/** `otherwise` says what to do if no file has a similar name. */
async function existing(path: string, { context }: FileSet, otherwise = ''): Promise<Result<Existing, ReasonText>> {
  const subject = await subjectOf(path, context)
  if (!subject.ok) return subject
  const { bytes, place, seen } = subject.value
  if (bytes === null) return failed(await missing(place, context, otherwise))
  if (seen === 'changed') return failed(reason`${shownPath(place.shown)} ${CHANGED_SINCE_READ}`)
  return ok({ ...subject.value, bytes })
}

async function missing(place: PathFacts, { env }: PrepareContext, otherwise: string): Promise<ReasonText> {
  const isStillThere = !place.outside && (await env.stat(place.path)) !== null
  const meant = await withoutGitPrefix(place, env)
  if (meant !== null)
    return reason`${shownPath(place.shown)} does not exist. Git writes ${place.shown.slice(0, 2)} in front of paths in a diff${byReader(`: write ${shownPath(meant)}.`, '.')}`
  return isStillThere
    ? `${shownPath(place.shown)} no longer exists: an earlier operation of the patch deletes or moves it.`
    : doesNotExist(env, place, otherwise)
}

/** The path without the `a/` or `b/` that git puts in front, if there is a file at that path. */
async function withoutGitPrefix({ path, shown }: PathFacts, env: PrepareContext['env']): Promise<string | null> {
  if (!/^[ab]\/./u.test(shown) || !path.endsWith(shown)) return null
  const meant = shown.slice(2)
  return (await env.stat(path.slice(0, -shown.length) + meant))?.kind === 'file' ? meant : null
}

function hunksApplied(bytes: Uint8Array, form: TextForm, shown: string, hunks: readonly Hunk[]): Result<Patched, ReasonText> {
  for (const hunk of hunks) {
    const text = (kinds: readonly string[]): string =>
      hunk.lines.flatMap((line) => (kinds.includes(line.kind) ? [line.text] : [])).join('\n')
    const omission = omissionPlaceholder(text(['add']), text(['context', 'remove']))
    if (omission !== null)
      return failed(reason`line ${hunk.line} (${shown}): the hunk omits code: "${omission}". ${modelOnly('Write all of it.')}`)
  }
  const patched = applyHunks(bytes, form, hunks, '\n')
  if (patched.ok) return patched
  return failed(explainPatchMiss(patched.failure, { shown, hunks, text: decodeText(bytes.subarray(form.bom), form.encoding) }))
}

function notesOf({ places }: Patched, shown: string): readonly string[] {
  return places.flatMap(({ pass, outOfOrder, start, missing, isReindented }, index) => {
    const how = [
      ...(missing === null ? [] : [`without its anchor "${shownPath(missing.trim().toWellFormed())}", which does not match a line there`]),
      ...(pass === 'exact' ? [] : [pass === 'unicode' ? 'with different punctuation or whitespace' : 'with different whitespace']),
      ...(outOfOrder ? ['above the hunk before it'] : []),
    ]
    const indented = isReindented ? ', and its new lines were adapted to the whitespace of the file' : ''
    return how.length === 0
      ? []
      : [`Hunk ${index + 1} of ${shown} was found ${how.join(', ')}, at line ${start + 1}${indented}; check that this is right.`]
  })
}

/** Null if the target is the file itself, so that nothing is moved. */
async function moveTarget(operation: Operation<'update'>, from: Subject, files: FileSet): Promise<Result<Subject | null, ReasonText>> {
  const target = await subjectOf(operation.moveTo ?? '', files.context)
  if (!target.ok) return target
  if (target.value.place.path === from.place.path) return ok(null)
  const shown = shownPath(target.value.place.shown)
  if (target.value.bytes !== null) return failed(`${shown} already exists, and a move does not overwrite files.`)
  const refusal = await linkRefusal(operation.path, files.context)
  return refusal === null ? target : failed(refusal)
}
