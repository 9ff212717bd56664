import { z } from 'zod'
import { BlobHash, SessionId } from '../lib/ids.ts'
import type { ChangedFile } from '../session/fold/views.ts'
import { command, returns } from '../wire/contract.ts'

/** A stored text for a diff. `binary` and `too_large` are shown as such, never as garbled text. */
export type BlobText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary'; readonly bytes: number }
  | { readonly kind: 'too_large'; readonly bytes: number }
  | { readonly kind: 'missing' }

export const changesApi = {
  /**
   * What this session's steps changed, from the captured bytes: first before, last after. Empty for an unknown session (`sessions.open`
   * reports that).
   */
  list: command({ input: z.object({ sessionId: SessionId }), output: returns<{ readonly files: readonly ChangedFile[] }>() }),
  /** The text of a stored blob. Only those who saw the event that names it know its hash. */
  blob: command({ input: z.object({ sessionId: SessionId, hash: BlobHash }), output: returns<BlobText>() }),
}
