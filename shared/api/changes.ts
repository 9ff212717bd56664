import { z } from 'zod'
import { BlobHash, SessionId } from '../lib/ids.ts'
import type { ChangedFile } from '../session/fold/views.ts'
import { command, returns } from '../wire/contract.ts'

/** A stored text for a diff. `binary` and `too_large` are shown as a fact, never as mojibake. */
export type BlobText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary'; readonly bytes: number }
  | { readonly kind: 'too_large'; readonly bytes: number }
  | { readonly kind: 'missing' }

export const changesApi = {
  /** What this session's steps changed, from the captured bytes: first before, last after. None of an unknown one (`sessions.open` tells). */
  list: command({ input: z.object({ sessionId: SessionId }), output: returns<{ readonly files: readonly ChangedFile[] }>() }),
  /** The text of a stored blob. Its hash is known to nobody who has not seen the event that names it. */
  blob: command({ input: z.object({ sessionId: SessionId, hash: BlobHash }), output: returns<BlobText>() }),
}
