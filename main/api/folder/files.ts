import { Buffer } from 'node:buffer'
import { join, relative, sep } from 'node:path'
import type { AppHandlers } from '../../../shared/api/contract.ts'
import type { Done } from '../../../shared/api/sessions.ts'
import type { FolderEntry, ListedFolder, ReadFile, ShownFile } from '../../../shared/api/files.ts'
import { type Disposable, disposable } from '../../../shared/lib/disposable.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import { isFar } from '../../../shared/places/address.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { watchFolders } from '../../environment/watch-folders.ts'
import { isInside } from '../../is-inside.ts'
import { isPdf } from '../../tools/documents/pdf-text.ts'
import { attachedText } from '../../tools/documents/attached-text.ts'
import { bomBytes, decodeText, encodeText, textFormOf } from '../../tools/text/encoding.ts'
import type { FileFinder } from '../../workspace/find-files.ts'
import type { Workspace } from '../../workspace/workspaces.ts'
import { MAX_SHOWN_FILE_BYTES, shownText } from '../changes.ts'
import { latestValue } from '../latest-value.ts'
import { inPlace, type SessionPlaces } from '../session-places.ts'
import { unlessStorageFails, unlessStreamFails } from '../storage-failures.ts'

/** Maximum number of entries of one folder that are sent. The search finds the others. */
const MAX_ENTRIES = 10_000
/** Interval in ms of checks for changes in a layer or on another machine, where the system reports none. */
const CHECK_EVERY_MS = 3_000

export interface FilesHandlerParts extends SessionPlaces {
  /** Finds files in a session's place. It gets the session's id where other finders get a folder. */
  readonly finder: FileFinder
}

export function filesHandlers(parts: FilesHandlerParts): AppHandlers['files'] {
  const { finder } = parts
  return {
    folder: ({ sessionId, path }) =>
      unlessStorageFails<ListedFolder>(
        async () => {
          const listed = await inPlace(parts, sessionId, (place) => entriesOf(place, path))
          if (!listed.ok) return { ok: false, trouble: listed.failure }
          const all = listed.value
          return { ok: true, entries: all.slice(0, MAX_ENTRIES), leftOut: Math.max(0, all.length - MAX_ENTRIES) }
        },
        (trouble) => ({ ok: false, trouble }),
      ),
    find: ({ sessionId, typed }) =>
      unlessStorageFails(
        async () => ({ paths: await finder.find(sessionId, typed, []) }),
        () => ({ paths: [] }),
      ),
    read: ({ sessionId, path }) =>
      unlessStorageFails<ReadFile>(
        async () => {
          const read = await inPlace(parts, sessionId, (place) => readFile(place, path))
          return read.ok ? { ok: true, file: read.value } : { ok: false, trouble: read.failure }
        },
        (trouble) => ({ ok: false, trouble }),
      ),
    write: ({ sessionId, path, expected, text }) =>
      unlessStorageFails<Done>(
        async () => {
          const written = await inPlace(parts, sessionId, (place) => writeText(place, path, expected, text))
          return written.ok ? { ok: true } : { ok: false, trouble: written.failure }
        },
        (trouble) => ({ ok: false, trouble }),
      ),
    changes: ({ sessionId, folders }, { signal }) => unlessStreamFails(changes(parts, sessionId, folders, signal), () => ({})),
  }
}

/** The real path of a path in the place. Fails if it leads outside the folder. */
async function pathInside({ environment, folder }: Workspace, path: string): Promise<Result<string, Trouble>> {
  const real = await environment.realpath(path === '' ? '.' : path)
  return isInside(folder, real) ? ok(real) : failed(notRead(path, 'It is outside the folder of this session.'))
}

async function entriesOf(place: Workspace, path: string): Promise<Result<readonly FolderEntry[], Trouble>> {
  try {
    const found = await pathInside(place, path)
    if (!found.ok) return found
    const entries = await place.environment.listDirectory(found.value)
    const shown = entries.filter(({ name }) => name !== '.git').map(({ name, isDir }) => ({ name, isFolder: isDir }))
    return ok([...shown.filter(({ isFolder }) => isFolder), ...shown.filter(({ isFolder }) => !isFolder)])
  } catch (error) {
    return failed(notRead(path, error instanceof Error ? error.message : String(error)))
  }
}

async function readFile(place: Workspace, path: string): Promise<Result<ShownFile, Trouble>> {
  const { environment, folder } = place
  try {
    const found = await pathInside(place, path)
    if (!found.ok) return found
    const stat = await environment.stat(found.value)
    if (stat === null) return failed(notRead(path, 'There is no such file.'))
    if (stat.kind !== 'file') return failed(notRead(path, 'It is not a file.'))
    const named = { path: found.value, shown: relative(folder, found.value).split(sep).join('/') }
    if (stat.size > MAX_SHOWN_FILE_BYTES) return ok({ ...named, content: { kind: 'too_large', bytes: stat.size }, pdf: null })
    const bytes = await environment.readBytes(found.value, { maxBytes: MAX_SHOWN_FILE_BYTES })
    return ok({ ...named, content: shownText(bytes), pdf: isPdf(bytes) ? await textOfPdf(named.shown, bytes) : null })
  } catch (error) {
    return failed(notRead(path, error instanceof Error ? error.message : String(error)))
  }
}

async function writeText(place: Workspace, path: string, expected: string, text: string): Promise<Result<null, Trouble>> {
  const { environment } = place
  try {
    const found = await pathInside(place, path)
    if (!found.ok) return found
    const before = await environment.readBytes(found.value, { maxBytes: MAX_SHOWN_FILE_BYTES })
    const form = textFormOf(before)
    if (form === null || decodeText(before.subarray(form.bom), form.encoding) !== expected) return failed(changedSince(path))
    const encoded = encodeText(text, form.encoding)
    if (encoded === null) return failed(notWritten(path, 'Its encoding cannot represent some of these characters.'))
    const bytes = Buffer.concat([bomBytes(form), encoded])
    await environment.writeBytes(found.value, bytes, { expected: before, real: true })
    return ok(null)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ECHANGED') return failed(changedSince(path))
    return failed(notWritten(path, error instanceof Error ? error.message : String(error)))
  }
}

async function textOfPdf(name: string, bytes: Uint8Array): Promise<string | null> {
  const read = await attachedText(name, bytes, new AbortController().signal)
  return read.ok ? read.value : null
}

async function* changes(
  { openPlace }: SessionPlaces,
  sessionId: SessionId,
  folders: readonly string[],
  signal: AbortSignal,
): ReturnType<AppHandlers['files']['changes']> {
  const opened = await openPlace(sessionId)
  if (!opened.ok) return
  try {
    const { environment, folder, isLayer, address } = opened.value
    const watched = folders.map((path) => join(environment.workingDirectory(), path)).filter((path) => isInside(folder, path))
    const onChange = (changed: () => void): Disposable => (isLayer || isFar(address) ? every(changed) : watchFolders(watched, changed))
    yield* latestValue(() => ({}), onChange, signal)
  } finally {
    await opened.value.close()
  }
}

function every(look: () => void): Disposable {
  const timer = setInterval(look, CHECK_EVERY_MS)
  timer.unref()
  return disposable(() => clearInterval(timer))
}

const changedSince = (path: string): Trouble => notWritten(path, 'It has changed since it was shown.')

const notWritten = (path: string, why: string): Trouble => ({
  code: 'file_not_written',
  what: `${path} was not saved. ${why}`,
  kept: 'The file is unchanged, and your text is still in the field.',
  todo: 'Copy your text, open the file again, and edit the current version.',
})

const notRead = (path: string, why: string): Trouble => ({
  code: 'file_not_read',
  what: `${path === '' ? 'The folder' : path} was not read. ${why}`,
  kept: 'Everything is unchanged.',
  todo: 'Check the list of files for what exists.',
})
