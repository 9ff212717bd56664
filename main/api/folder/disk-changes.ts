import { isDeepStrictEqual } from 'node:util'
import type { BlobText, TextNow } from '../../../shared/api/changes/changes.ts'
import type { AppHandlers } from '../../../shared/api/contract.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import { isFar } from '../../../shared/places/address.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { createDiskChanges } from '../../changes/disk-changes.ts'
import { isInside } from '../../is-inside.ts'
import type { Workspace } from '../../workspace/workspaces.ts'
import { MAX_SHOWN_FILE_BYTES, shownText } from '../changes.ts'
import { inPlace, type SessionPlaces } from '../session-places.ts'
import { unlessStorageFails, unlessStreamFails } from '../storage-failures.ts'
import { latestValue } from '../latest-value.ts'

/** What changed after a session's steps, in the place where it works. Nothing is read in a folder that is not trusted. */
export function diskChangesHandlers(places: SessionPlaces): Pick<AppHandlers['changes'], 'onDisk' | 'textNow'> {
  return {
    onDisk: ({ sessionId, files }, { signal }) => unlessStreamFails(diskChanges(places, sessionId, files, signal), () => ({ changed: [] })),
    textNow: ({ sessionId, path }) =>
      unlessStorageFails<TextNow>(
        async () => {
          const read = await inPlace(places, sessionId, (workspace) => textNow(workspace, path))
          return read.ok ? { ok: true, text: read.value } : { ok: false, trouble: read.failure }
        },
        (trouble) => ({ ok: false, trouble }),
      ),
  }
}

async function* diskChanges(
  { openPlace }: SessionPlaces,
  sessionId: SessionId,
  files: Parameters<typeof createDiskChanges>[1],
  signal: AbortSignal,
): ReturnType<AppHandlers['changes']['onDisk']> {
  const opened = await openPlace(sessionId)
  if (!opened.ok) {
    yield { changed: [] }
    return
  }
  try {
    const { environment, isLayer, address } = opened.value
    const disk = createDiskChanges(environment, files, {
      maxBytes: MAX_SHOWN_FILE_BYTES,
      isWatchable: !isLayer && !isFar(address),
    })
    yield* latestValue(async () => ({ changed: await disk.read() }), disk.onChange, signal, isDeepStrictEqual)
  } finally {
    await opened.value.close()
  }
}

async function textNow({ environment, folder }: Workspace, path: string): Promise<Result<BlobText | null, Trouble>> {
  try {
    if (!isInside(folder, await environment.realpath(path))) return failed(notRead(path, 'The file is not in the folder of this session.'))
    const stat = await environment.stat(path)
    if (stat === null) return ok(null)
    if (stat.size > MAX_SHOWN_FILE_BYTES) return ok({ kind: 'too_large', bytes: stat.size })
    return ok(shownText(await environment.readBytes(path, { maxBytes: MAX_SHOWN_FILE_BYTES })))
  } catch (error) {
    return failed(notRead(path, error instanceof Error ? error.message : String(error)))
  }
}

const notRead = (path: string, why: string): Trouble => ({
  code: 'file_not_read',
  what: `${path} was not read. ${why}`,
  kept: 'The file is unchanged.',
  todo: 'Compare the stored versions instead.',
})
