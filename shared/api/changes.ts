import { z } from 'zod'
import { BlobHash, SessionId } from '../lib/ids.ts'
import type { BlameOutcome } from './blame.ts'
import type { ImagePart } from '../session/content.ts'
import type { Trouble } from '../session/events.ts'
import type { ChangedFile } from '../session/fold/views.ts'
import { UndoTarget } from '../session/rollback.ts'
import { type UndoOutcome, type UndoPreview, UndoRequest } from '../session/undo.ts'
import { command, returns } from '../wire/contract.ts'

/** A picture as a window shows it. `data`: base64. */
export interface ShownPicture {
  readonly mediaType: ImagePart['mediaType']
  readonly data: string
}

/** A stored text for a diff. `binary` and `too_large` are shown as such, never as garbled text. */
export type BlobText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary'; readonly bytes: number; readonly picture?: ShownPicture }
  | { readonly kind: 'too_large'; readonly bytes: number }
  | { readonly kind: 'missing' }

export const changesApi = {
  /**
   * What this session's steps changed, from the captured bytes: first before, last after. Empty for an unknown session (`sessions.open`
   * reports that).
   */
  list: command({ input: z.object({ sessionId: SessionId }), output: returns<{ readonly files: readonly ChangedFile[] }>() }),
  /** What an undo would do to the files. Changes nothing. */
  previewUndo: command({
    input: z.object({ sessionId: SessionId, target: UndoTarget }),
    output: returns<{ readonly ok: true; readonly preview: UndoPreview } | { readonly ok: false; readonly trouble: Trouble }>(),
  }),
  /** Carries out exactly what a preview showed, or nothing. */
  undo: command({ input: UndoRequest.extend({ sessionId: SessionId }), output: returns<UndoOutcome>() }),
  /**
   * Who wrote each line of a file: of a stored version, or (null) of the file as it is now, which must be in the session's folder. `path`:
   * absolute. Takes all sessions of this data folder into account.
   */
  blame: command({
    input: z.object({ sessionId: SessionId, path: z.string().min(1).max(4096), version: BlobHash.nullable() }),
    output: returns<BlameOutcome>(),
  }),
  /** The text of a stored blob. Only those who saw the event that names it know its hash. */
  blob: command({ input: z.object({ sessionId: SessionId, hash: BlobHash }), output: returns<BlobText>() }),
}
