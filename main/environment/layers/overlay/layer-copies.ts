import { realpath } from 'node:fs/promises'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import type { ApplyOutcome, CommandCopies, CopiedEntry, CopyChange } from '../../../agent/ports/command-copies.ts'
import { toolError } from '../../../agent/tool-output.ts'
import { parseKept } from '../../copy/changes/change-set-schema.ts'
import { codeOf, EnvironmentFailure } from '../../environment-failure.ts'
import type { Standing } from './open-layer.ts'
import type { OverlayLayers } from './overlay-layers.ts'
import { insideFiles } from './write-inside.ts'

const NO_COPIES = 'Commands run in the layer itself, so there is no copy to sign.'

interface LayerCopiesParts {
  /** The project folder. */
  readonly folder: string
  readonly sessionId: SessionId
  readonly layers: Pick<OverlayLayers, 'write'>
  /** Copies of the layer for commands whose changes are dropped. */
  readonly throwAway: Pick<CommandCopies, 'run' | 'ignoredParts' | 'keeps' | 'cleanup'>
}

/**
 * Applies change sets to a layer, through what runs in it. Commands run in the layer itself, except in plan mode: then they run in a copy of
 * it, and what they change is dropped.
 */
export function createLayerCopies({ folder, sessionId, layers, throwAway }: LayerCopiesParts): CommandCopies {
  const none = (): Promise<never> => Promise.reject(new EnvironmentFailure('ENOCOPY', NO_COPIES))
  return {
    support: () => Promise.resolve({ kind: 'absent', reason: NO_COPIES, wayOut: '' }),
    run: throwAway.run,
    confine: none,
    sign: () => {},
    parseKept,
    async apply(kept, bytesOf, only): Promise<ApplyOutcome> {
      const refused = (reason: string): ApplyOutcome => ({ kind: 'refused', reason: `Nothing was applied: ${reason}`, path: null })
      if (kept.folder !== (await realpath(folder))) return refused(`these changes belong to another folder, ${kept.folder}.`)
      const wanted = only && new Set(only)
      const changes = kept.changes.filter(({ path }) => !wanted || wanted.has(path))
      const files = await insideFiles(changes, bytesOf)
      try {
        await layers.write(sessionId, files, standingBefore(changes))
        return { kind: 'applied' }
      } catch (error) {
        if (codeOf(error) === 'ECHANGED') return refused(toolError(error))
        return { kind: 'refused', reason: `The changes were not applied completely. ${toolError(error)}`, path: null }
      }
    },
    ignoredParts: throwAway.ignoredParts,
    keeps: throwAway.keeps,
    release: () => Promise.resolve(),
    cleanup: throwAway.cleanup,
  }
}

/** An entry that is replaced by one of another kind has two changes. The first one has the earlier entry. */
function standingBefore(changes: readonly CopyChange[]): Standing {
  const standing = new Map<string, CopiedEntry | null>()
  for (const change of changes) if (!standing.has(change.path)) standing.set(change.path, change.kind === 'created' ? null : change.before)
  return standing
}
