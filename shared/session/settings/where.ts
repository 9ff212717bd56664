import type { SessionId } from '../../lib/ids.ts'

/** Where a session works, if not in the folder itself. */
export type Where =
  /**
   * In a layer of its own. The folder changes only when the user brings the layer's changes in. `agent`: the id of the third-party
   * agent that works there. If absent, Countersign's own agent does.
   */
  | { readonly kind: 'beside'; readonly agent?: string }
  /** In the folder itself, in which it brings in what the session `from` has changed in its layer. It does nothing else. */
  | { readonly kind: 'bring-in'; readonly from: SessionId }
