import { encodingByMark } from '../../shared/lib/decode-utf8.ts'
import type { BlobText, SessionChanges, SubagentEdit } from '../../shared/api/changes/changes.ts'
import type { AppHandlers } from '../../shared/api/contract.ts'
import type { BlobHash, SessionId } from '../../shared/lib/ids.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { shownPicture } from '../sessions/attached-pictures.ts'
import type { UndoOutcome, UndoPreview } from '../../shared/session/undo-preview.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { unlessStorageFails } from './storage-failures.ts'
import { blobSize } from '../store/blobs/blob-parts.ts'
import type { Store } from '../store/store.ts'
import { createChangedFiles } from '../../shared/session/fold/changed-files.ts'
import { type Change, readChanges } from '../changes/undo/read-changes.ts'

/** Maximum size in bytes of a text that is sent to a window. No diff view can show more. */
export const MAX_SHOWN_FILE_BYTES = 10 * 1024 * 1024

export interface ChangesHandlerParts {
  readonly store: Store
  readonly sessions: Pick<Sessions, 'open'>
}

export function changesHandlers({ store, sessions }: ChangesHandlerParts): Omit<AppHandlers['changes'], 'blame' | 'onDisk' | 'textNow'> {
  return {
    previewUndo: ({ sessionId, target }) =>
      unlessStorageFails<Previewed>(
        async () => {
          const opened = await sessions.open(sessionId)
          const preview = opened.ok ? await opened.value.previewUndo(target) : opened
          return preview.ok ? { ok: true, preview: preview.value } : { ok: false, trouble: preview.failure }
        },
        (trouble) => ({ ok: false, trouble }),
      ),
    undo: ({ sessionId, ...request }) =>
      unlessStorageFails<UndoOutcome>(
        async () => {
          const opened = await sessions.open(sessionId)
          return opened.ok ? opened.value.undo(request) : { kind: 'refused', trouble: opened.failure }
        },
        (trouble) => ({ kind: 'refused', trouble }),
      ),
    // Nothing is reported here, because a damaged log is reported when the session is opened.
    list: ({ sessionId }) =>
      unlessStorageFails<SessionChanges>(
        () => changedBy(store, sessionId),
        () => ({ files: [], subagents: [] }),
      ),
    blob: ({ hash }) =>
      unlessStorageFails<BlobText>(
        () => blobText(store, hash),
        () => ({ kind: 'missing' }),
      ),
  }
}

type Previewed = { readonly ok: true; readonly preview: UndoPreview } | { readonly ok: false; readonly trouble: Trouble }

function blobText(store: Store, hash: BlobHash): BlobText {
  const size = blobSize(store.blobs, hash)
  if (size === null) return { kind: 'missing' }
  if (size > MAX_SHOWN_FILE_BYTES) return { kind: 'too_large', bytes: size }
  return shownText(store.blobs.get(hash))
}

/** The bytes as a window shows them. */
export function shownText(bytes: Uint8Array): BlobText {
  if (bytes.length > MAX_SHOWN_FILE_BYTES) return { kind: 'too_large', bytes: bytes.length }
  const text = decoded(bytes)
  if (text !== null) return { kind: 'text', text }
  const picture = shownPicture(bytes)
  return { kind: 'binary', bytes: bytes.length, ...(picture && { picture }) }
}

/** Decodes UTF-8, or UTF-16 with a byte order mark. Null if the bytes cannot be shown as text without loss. */
function decoded(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder(encodingByMark(bytes), { fatal: true }).decode(bytes)
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}

/** Returns what the steps of a session and of its subagents changed. Reads their logs in slices. */
async function changedBy(store: Store, sessionId: SessionId): Promise<SessionChanges> {
  const changes = await readChanges(store, sessionId)
  const changed = createChangedFiles()
  for (const change of changes) changed.add(change)
  return { files: changed.files(), subagents: subagentEdits(changes) }
}

function subagentEdits(changes: readonly Change[]): readonly SubagentEdit[] {
  const edits: SubagentEdit[] = []
  let before: string | null = null
  for (const { agentType, step, files, toolCallId, rollbackId } of changes.toReversed()) {
    if (files.length === 0) continue
    if (agentType === null) before = toolCallId ?? rollbackId
    else edits.push({ step, agentType, files, before })
  }
  return edits.toReversed()
}
