import { byReader, modelOnly, type Reason, type ReasonText, reason } from '../../agent/reason.ts'
import type { BlobHash } from '../../../shared/lib/ids.ts'
import { pathNamesFolder } from '../../../shared/lib/path-names-folder.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import type { DeleteEffect, WriteEffect } from '../../../shared/session/effects.ts'
import type { SeenLines } from '../../../shared/session/events.ts'
import { hashInSlices } from '../../agent/blob-hash.ts'
import type { WriteDetails } from '../../../shared/tools/built-in/write-file.ts'
import type { PathFacts, PrepareContext, RunContext, ToolOutput } from '../../agent/ports/tool.ts'
import { failure } from '../../agent/tool-output.ts'
import { mayHoldSecrets } from '../../approval/command-line/known-places.ts'
import { existingPath } from '../define/existing-name.ts'
import { fileFailure, leadsElsewhere, locate, shownPath } from '../define/tool-path.ts'
import { type Encoding, textFormInSlices } from '../text/encoding.ts'
import { lineRange, lineStart } from '../text/line-feeds.ts'
import { lookalike } from './near-names.ts'

export type FileEffect = WriteEffect | DeleteEffect

/** A file that is about to be changed, in the state in which the earlier calls of the same answer will leave it. */
export interface Subject {
  readonly place: PathFacts
  /** Null if the file does not exist. */
  readonly bytes: Uint8Array | null
  /** `changed` means that the bytes differ from what the agent last read or wrote. */
  readonly seen: 'never' | 'as-it-is' | 'changed'
}

/**
 * Number of files that are read or written at the same time. Node uses four threads for file access, and the disk combines the syncs of
 * waiting files.
 */
export const CONCURRENT_FILES = 16

/** Maximum size in bytes of a file that is edited. For larger files, a command is better. */
export const MAX_BYTES = 100 * 1024 * 1024

export async function subjectOf(path: string, context: PrepareContext): Promise<Result<Subject, ReasonText>> {
  if (pathNamesFolder(path)) return failed(reason`${shownPath(path)} names a folder. ${modelOnly('Name the file.')}`)
  const place = await locate(context, path)
  if (!place.ok) return place
  try {
    const bytes = await context.files.read(place.value.path, { maxBytes: MAX_BYTES })
    return ok({ place: place.value, bytes, seen: bytes === null ? 'never' : await seenAs(bytes, await context.seen(place.value.path)) })
  } catch (error) {
    context.signal.throwIfAborted()
    const { code, message } = fileFailure(error)
    const shown = shownPath(place.value.shown)
    return failed(
      code === 'EISDIR' ? reason`${shown} is a folder. ${modelOnly('Name the file.')}` : `${shown} cannot be changed: ${message}`,
    )
  }
}

/**
 * Like `subjectOf`, but if there is no file with exactly this name, uses the file whose name looks the same. Reading does this too, so a
 * file that was read can also be changed.
 */
export async function subjectMeant(path: string, context: PrepareContext): Promise<Result<Subject, ReasonText>> {
  const subject = await subjectOf(path, context)
  if (!subject.ok || subject.value.bytes !== null) return subject
  const meant = await lookalike(context.env, subject.value.place)
  return meant === null ? subject : subjectOf(meant.path, context)
}

async function seenAs(bytes: Uint8Array, seen: BlobHash | null): Promise<Subject['seen']> {
  if (seen === null) return 'never'
  return (await hashInSlices(bytes)) === seen ? 'as-it-is' : 'changed'
}

/** Follows the name of a file. */
export const CHANGED_SINCE_READ = reason`has changed since ${byReader('you', 'the agent')} read it. ${modelOnly('Read it again before you change it.')}`

/**
 * The reason why a file must not be searched for the text to replace; null if it may be searched. A search reveals content: a failed search
 * quotes lines of the file, and a match shows that the text is in the file. A file outside the folder, or one that may hold secrets, must
 * not reveal either before the user has signed a read.
 */
export function unreadPrivate({ place, bytes, seen }: Subject): Reason | null {
  const why = place.outside ? 'is outside the project' : mayHoldSecrets(place.shown) ? 'may hold secrets' : null
  if (why === null || bytes === null || seen !== 'never') return null
  return reason`${shownPath(place.shown)} ${why} and ${YOU_HAVE} not read it. ${modelOnly('Read it first; the developer must approve that read.')}`
}

/** Before "not read" and similar words. */
export const YOU_HAVE = byReader('you have', 'the agent has')

/** The effect of writing new bytes to a file. Both versions are kept, so that they can be shown and signed. */
export async function writeEffect(
  { place, bytes }: Subject,
  after: Uint8Array,
  context: PrepareContext,
  countLines: LineCounter,
): Promise<WriteEffect> {
  return {
    kind: 'write',
    ...place,
    before: bytes === null ? null : await context.keep(bytes),
    after: await context.keep(after),
    beforeBytes: bytes?.length ?? 0,
    afterBytes: after.length,
    lines: await countLines(bytes, after),
  }
}

/**
 * Counts the lines that differ between two versions of a file. A version is null if the file does not exist. Returns null if one of the
 * versions is not text.
 */
export type LineCounter = (
  before: Uint8Array | null,
  after: Uint8Array | null,
) => Promise<{ readonly added: number; readonly removed: number } | null>

/**
 * The lines of a file that count as seen by the agent after a part of the file is changed. If the agent had seen only some lines, those
 * below the start of the change no longer count, because their numbers may have changed. Undefined if all lines were seen.
 */
export async function seenAfter(
  { bytes, place, seen }: Subject,
  after: Uint8Array,
  context: PrepareContext,
): Promise<SeenLines | undefined> {
  const lines = context.seenLines(place.path)
  if (bytes === null || bytes.length === 0 || (seen === 'as-it-is' && lines === null)) return undefined
  if (lines === null) return { ranges: [], total: 0 }
  const encoding = (await textFormInSlices(after))?.encoding ?? 'utf-8'
  const above = await lineCount(after.subarray(0, lineStart(after, sharedStart(bytes, after), encoding)), encoding)
  const ranges = lines.ranges.flatMap(([first, last]) => (first <= above ? [[first, Math.min(last, above)] as const] : []))
  return { ranges, total: await lineCount(after, encoding) }
}

const lineCount = async (bytes: Uint8Array, encoding: Encoding): Promise<number> =>
  (await lineRange(bytes, { encoding, bom: 0 }, 1, 1)).totalLines

/** Number of bytes that are compared at once, which is faster than byte by byte. */
const BLOCK = 65_536

/** The number of equal bytes at the start of two versions. */
function sharedStart(a: Uint8Array, b: Uint8Array): number {
  const most = Math.min(a.length, b.length)
  let at = 0
  while (at + BLOCK <= most && Buffer.compare(a.subarray(at, at + BLOCK), b.subarray(at, at + BLOCK)) === 0) at += BLOCK
  while (at < most && a[at] === b[at]) at++
  return at
}

/**
 * Writes exactly what was signed, or nothing. The path must still lead to the same place, and the file must still have the same bytes.
 * `seen` contains the lines that then count as seen by the agent; absent for all lines. Resolves to null on success, otherwise to the
 * reason, as text for the model.
 */
export async function commitWrite(effect: WriteEffect, run: RunContext, seen?: SeenLines): Promise<ToolOutput | null> {
  const shown = shownPath(effect.shown)
  try {
    const moved = await leadsElsewhere(run, effect)
    if (moved) return moved
    const after = await run.bytes(effect.after)
    const expected = effect.before === null ? null : await run.bytes(effect.before)
    // The turn can still be stopped before the write.
    run.signal.throwIfAborted()
    await run.env.writeBytes(effect.path, after, { expected, real: true })
    run.saw(effect.path, effect.after, seen)
    return null
  } catch (error) {
    run.signal.throwIfAborted()
    const { code, message } = fileFailure(error)
    if (code === 'ECHANGED') return failure(reason`${shown} has changed since this step was signed. Nothing was written. ${READ_AGAIN}`)
    return failure(`${shown} was not written: ${message}`)
  }
}

/** What to do if a file has changed since a step was signed. */
export const READ_AGAIN = modelOnly('Read the file again, then decide again.')

/** The data that a call stores for the screen after it has written or deleted files. */
export function writeDetails(effects: readonly FileEffect[]) {
  return {
    files: effects.map((effect) => {
      const { path, shown } = effect
      if (effect.kind === 'delete') return { path, shown, created: false, deleted: true, added: 0, removed: 0 }
      return { path, shown, created: effect.before === null, added: effect.lines?.added ?? null, removed: effect.lines?.removed ?? null }
    }),
  } satisfies WriteDetails
}

/** The reason why the text cannot be written to a file; null if it can be written. */
export function unwritable(text: string, argument: ReasonText): Reason | null {
  if (text.includes('\0')) return reason`${argument} contains a NUL character, which no text file may contain. Nothing was written.`
  if (text.isWellFormed()) return null
  return reason`${argument} contains half a character (a lone surrogate), which no file can store. ${modelOnly('Send the complete character.')} Nothing was written.`
}

/**
 * The reason why a file must not be deleted by this path: the path is a link, and its target would be deleted instead. Null if the file
 * may be deleted.
 */
export async function linkRefusal(path: string, { env }: PrepareContext): Promise<Reason | null> {
  const stat = await env.lstat(await existingPath(env, path))
  if (stat?.kind !== 'symlink') return null
  return reason`${shownPath(path)} is a symbolic link. ${modelOnly('Remove or move it with a command.')}`
}
