import type { BlobHash } from '../../../shared/lib/ids.ts'
import { namesFolder } from '../../../shared/lib/names-folder.ts'
import { type Result, failed, ok } from '../../../shared/lib/result.ts'
import type { WriteEffect } from '../../../shared/session/effects.ts'
import { hashOf } from '../../agent/blob-hash.ts'
import type { PathFacts, PrepareContext } from '../../agent/ports/tool.ts'
import { lookalike } from './near-names.ts'
import { fileFailure, locate, shownPath } from '../define/outcome.ts'

/** A file that is about to be written, as the earlier calls of the round will leave it. */
export interface Subject {
  readonly place: PathFacts
  /** Null: there is no such file. */
  readonly bytes: Uint8Array | null
  /** `changed`: it is not what the agent read or wrote last. */
  readonly seen: 'never' | 'as-it-is' | 'changed'
}

/** Bytes of a file that is edited; above it a command is the better tool. */
const MAX_BYTES = 100 * 1024 * 1024

export async function subjectOf(path: string, context: PrepareContext): Promise<Result<Subject, string>> {
  if (namesFolder(path)) return failed(`${shownPath(path)} names a folder. Name the file.`)
  const place = await locate(context, path)
  if (!place.ok) return place
  try {
    const bytes = await context.files.read(place.value.path, { maxBytes: MAX_BYTES })
    return ok({ place: place.value, bytes, seen: bytes === null ? 'never' : seenAs(bytes, context.seen(place.value.path)) })
  } catch (error) {
    context.signal.throwIfAborted()
    const { code, message } = fileFailure(error)
    const shown = shownPath(place.value.shown)
    return failed(code === 'EISDIR' ? `${shown} is a folder. Name the file.` : `${shown} cannot be changed: ${message}`)
  }
}

/** The same of a file whose name only looks like it where there is none of that very name, so that what was read can be changed. */
export async function subjectMeant(
  path: string,
  context: PrepareContext,
  likeness?: Parameters<typeof lookalike>[2],
): Promise<Result<Subject, string>> {
  const subject = await subjectOf(path, context)
  if (!subject.ok || subject.value.bytes !== null) return subject
  const meant = await lookalike(context.env, subject.value.place, likeness)
  return meant === null ? subject : subjectOf(meant.path, context)
}

function seenAs(bytes: Uint8Array, seen: BlobHash | null): Subject['seen'] {
  if (seen === null) return 'never'
  return hashOf(bytes) === seen ? 'as-it-is' : 'changed'
}

export const CHANGED_SINCE_READ = 'has changed since you read it. Read it again before you change it.'

/**
 * Why no part of a file may be looked for. A miss is answered with lines of the file, and a hit says that they are there: of what lies
 * outside the folder the agent learns neither before somebody has signed that it is read (C9). Null: it may.
 */
export function unreadOutside({ place, bytes, seen }: Subject): string | null {
  if (!place.outside || bytes === null || seen !== 'never') return null
  return `${shownPath(place.shown)} is outside the project and you have not read it. Read it first; the developer is asked for that.`
}

/** The effect of giving a file new bytes; both versions are kept, so that they can be shown and signed. */
export function writeEffect({ place, bytes }: Subject, after: Uint8Array, context: PrepareContext, countLines: LineCounter): WriteEffect {
  return {
    kind: 'write',
    ...place,
    before: bytes === null ? null : context.keep(bytes),
    after: context.keep(after),
    beforeBytes: bytes?.length ?? 0,
    afterBytes: after.length,
    lines: countLines(bytes, after),
  }
}

/** Lines that differ between two versions of a file; null where one of them is no text. A file that is not there is null. */
export type LineCounter = (
  before: Uint8Array | null,
  after: Uint8Array | null,
) => { readonly added: number; readonly removed: number } | null
