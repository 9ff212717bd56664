import { disposable } from '../../../shared/lib/disposable.ts'
import type { BlobHash, SessionId } from '../../../shared/lib/ids.ts'
import type { CommandsInLayer, LayerChanges, LayerFile, Layers, OpenedLayer } from '../../agent/ports/layers.ts'
import type { Calls } from './calls.ts'
import { remoteComparison } from './remote-comparison.ts'
import { storedContents } from './remote-copies.ts'
import { mustBe, type RemoteParts, type RemoteSite } from './remote-parts.ts'

/** Access to the layer that was opened with the call `id`. */
type OpenSite = (id: number, beforeStart: () => void) => RemoteSite

/** The layers over a folder, or over a layer, of the far side. */
export function remoteLayers(
  { call }: Pick<Calls, 'call'>,
  parts: RemoteParts,
  blobs: NonNullable<RemoteParts['blobs']>,
  openSite: OpenSite,
): Layers {
  /** Fetches and stores the contents of these files that are not stored on this side yet. */
  const stored = async (changes: LayerChanges): Promise<LayerChanges> => {
    mustBe(changes.folder === parts.facts.folder, 'the layer belongs to another folder')
    const named = changes.files.flatMap(({ base, own }) => [base, own]).flatMap((file) => (file ? [file.hash] : []))
    const hashes = [...new Set<BlobHash>(named)].filter((hash) => !blobs.has(hash))
    if (hashes.length === 0) return changes
    const contents = storedContents(blobs.putInSlices)
    await call('layerContents', { hashes }, { onContent: contents.take })
    const found = await contents.all()
    mustBe(
      hashes.every((hash) => found.has(hash)),
      'the content of a file does not match its hash',
    )
    return changes
  }
  const open = async (sessionId: SessionId): Promise<OpenedLayer> => {
    let id = 0
    let known = parts.denied(sessionId)
    const { runsInside } = await call('openLayer', { sessionId, denied: [...known] }, { onId: (own) => (id = own) })
    const beforeStart = (): void => {
      const now = parts.denied(sessionId)
      if (now.join('\n') === known.join('\n')) return
      known = now
      parts.line.channel.send({ kind: 'denied', id, patterns: [...now] })
    }
    const { environment, copies, layers, calls } = openSite(id, beforeStart)
    if (copies === null || layers === null) throw new Error('A layer always has copies and layers.')
    return { environment, copies, layers, inside: runsInside ? commandsInside(calls, parts) : null }
  }
  const opened = new Map<SessionId, Promise<OpenedLayer>>()
  return {
    missing: () => call('missingLayers', {}),
    whyClones: () => call('whyClones', {}),
    whyUnconfined: () => Promise.resolve(null),
    async make(sessionId, signal) {
      opened.delete(sessionId)
      await call('makeLayer', { sessionId }, { signal })
    },
    async makeIfMissing(sessionId, from) {
      opened.delete(sessionId)
      await call('makeLayerIfMissing', { sessionId, from })
    },
    open(sessionId) {
      const known = opened.get(sessionId)
      if (known) return known
      const opening = open(sessionId)
      opened.set(sessionId, opening)
      // The layer may be made later.
      opening.catch(() => opened.delete(sessionId))
      return opening
    },
    changes: async (sessionId) => stored(await call('layerChanges', { sessionId })),
    moved: async (sessionId) => stored(await call('movedInLayer', { sessionId })),
    async rebase(sessionId, bases) {
      const files = bases.flatMap(({ base }) => (base ? [base] : []))
      const bytes: Uint8Array[] = []
      for (const { hash } of files) bytes.push(await blobs.getInSlices(hash))
      const plain = bases.map(({ path, base, own }) => ({ path, base: facts(base), ...(own !== undefined && { own: facts(own) }) }))
      await call('rebaseLayer', { sessionId, bases: plain, contents: bytes.map(({ length }) => length) }, { bytes })
    },
    entriesOf: (paths) => call('entriesOf', { paths: [...paths] }),
    entriesIn: (sessionId, paths) => call('entriesIn', { sessionId, paths: [...paths] }),
    async remove(sessionId) {
      opened.delete(sessionId)
      await call('removeLayer', { sessionId })
    },
    async close() {
      if (!parts.isLost()) await call('closeLayers', {})
    },
  }
}

const facts = (file: LayerFile | null): LayerFile | null => file && { hash: file.hash, size: file.size, mode: file.mode }

function commandsInside({ call, first }: Pick<Calls, 'call' | 'first'>, { hosts, line: { channel } }: RemoteParts): CommandsInLayer {
  let ended: readonly string[] = []
  return {
    comparison: remoteComparison({ call, first }),
    async begin(onHost, { keepsRunning } = { keepsRunning: false }) {
      let id = 0
      const decision = hosts.decide(onHost)
      const onId = (own: number): void => {
        id = own
        decision.onId(own)
      }
      const begun = await call('beginInside', { keepsRunning }, { onId }).catch((error: unknown) => {
        decision.dispose()
        throw error
      })
      ended = [...ended, ...begun.ended]
      return {
        get blocked() {
          return decision.blocked
        },
        dispose: disposable(() => {
          decision.dispose()
          channel.send({ kind: 'decided', id })
        }).dispose,
      }
    },
    takeEnded() {
      const taken = ended
      ended = []
      return taken
    },
    whyFailed: ({ exitCode, text, cwd, blocked }) => call('whyFailed', { exitCode, text, cwd, blocked: [...blocked] }),
    async forward(port) {
      await call('forwardPort', { port })
    },
  }
}
