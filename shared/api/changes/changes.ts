import { z } from 'zod'
import { BlobHash, SessionId } from '../../lib/ids.ts'
import type { BlameOutcome } from './blame.ts'
import type { ImagePart } from '../../session/content.ts'
import type { Trouble } from '../../session/events.ts'
import type { FileChange } from '../../session/file-change.ts'
import type { ChangedFile } from '../../session/fold/changed-files.ts'
import { UndoTarget } from '../../session/rollback.ts'
import { type UndoOutcome, type UndoPreview, UndoRequest } from '../../session/undo-preview.ts'
import { command, items, returns, stream } from '../../wire/contract.ts'

/** A picture for display in a window. `data` is base64. */
export interface ShownPicture {
  readonly mediaType: ImagePart['mediaType']
  readonly data: string
}

/** A stored text for a diff. `binary` and `too_large` contents are reported as such, never as garbled text. */
export type BlobText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary'; readonly bytes: number; readonly picture?: ShownPicture }
  | { readonly kind: 'too_large'; readonly bytes: number }
  | { readonly kind: 'missing' }

/** A file that differs on disk from the session's last version of it. */
export interface DiskChange {
  readonly path: string
  /** The version on disk now. Null if there is no file. */
  readonly now: BlobHash | null
}

/** What one step of a subagent changed in the folder itself. */
export interface SubagentEdit {
  /** Step of the user's session that started the subagent. */
  readonly step: number
  readonly agentType: string
  readonly files: readonly FileChange[]
  /**
   * Id of the first later call or undo in which the user's session itself changed files. This edit was made before it. Null if there is
   * none.
   */
  readonly before: string | null
}

/** What a session changed. The edits of subagents are oldest first. */
export interface SessionChanges {
  readonly files: readonly ChangedFile[]
  readonly subagents: readonly SubagentEdit[]
}

/** `text` is null if there is no file. */
export type TextNow = { readonly ok: true; readonly text: BlobText | null } | { readonly ok: false; readonly trouble: Trouble }

/** Maximum number of files in one comparison with the disk. */
export const MAX_DISK_FILES = 5_000

const Path = z.string().min(1).max(4096)

export const changesApi = {
  /**
   * What the steps of this session and of its subagents changed in the folder, computed from the captured bytes: the first version before
   * and the last version after. Empty for an unknown session, which `sessions.open` already reports as an error.
   */
  list: command({ input: z.object({ sessionId: SessionId }), output: returns<SessionChanges>() }),
  /** Previews what an undo would do to the files. Changes nothing. */
  previewUndo: command({
    input: z.object({ sessionId: SessionId, target: UndoTarget }),
    output: returns<{ readonly ok: true; readonly preview: UndoPreview } | { readonly ok: false; readonly trouble: Trouble }>(),
  }),
  /** Carries out exactly the undo that a preview showed, or nothing. */
  undo: command({ input: UndoRequest.extend({ sessionId: SessionId }), output: returns<UndoOutcome>() }),
  /**
   * Returns who wrote each line of a file. `path` is absolute. If `version` is null, the current file is used, and it must be in the
   * session's folder. All sessions of this data folder are taken into account.
   */
  blame: command({
    input: z.object({ sessionId: SessionId, path: Path, version: BlobHash.nullable() }),
    output: returns<BlameOutcome>(),
  }),
  /**
   * Lists which of these files differ on disk now. The list is sent again after each change on disk. Paths must be absolute and in the
   * session's folder. Other paths are ignored.
   */
  onDisk: stream({
    input: z.object({
      sessionId: SessionId,
      files: z.array(z.object({ path: Path, after: BlobHash.nullable() })).max(MAX_DISK_FILES),
    }),
    item: items<{ readonly changed: readonly DiskChange[] }>(),
  }),
  /** The current version of a file in the session's folder. */
  textNow: command({ input: z.object({ sessionId: SessionId, path: Path }), output: returns<TextNow>() }),
  /**
   * The text of a stored blob. No further permission is checked, because only a client that received an event with this hash can know the
   * hash.
   */
  blob: command({ input: z.object({ sessionId: SessionId, hash: BlobHash }), output: returns<BlobText>() }),
}
