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
  /**
   * On another machine, in a clone of the folder `of` of this computer. That folder changes only when the user brings the clone's changes in.
   */
  | { readonly kind: 'clone'; readonly of: string }

/** The folder of this computer into which a session's changes can be brought. Null if the session works in its folder itself. */
export function folderToBringInto({ where }: { readonly where?: Where | undefined }, folder: string): string | null {
  if (where?.kind === 'beside') return folder
  return where?.kind === 'clone' ? where.of : null
}

/** What the place is called in which a session works whose changes are brought in. */
export type OwnPlace = 'layer' | 'clone'

export const ownPlaceOf = (config: { readonly where?: Where | undefined } | undefined): OwnPlace =>
  config?.where?.kind === 'clone' ? 'clone' : 'layer'

/**
 * Why Countersign withdrew a request to bring in a session's work: the session's next turn has begun, its work was undone, nothing is left to
 * bring in, or a newer request took its place.
 */
export type WithdrawnFor = 'next-turn' | 'undo' | 'nothing-left' | 'newer-request'
