import type { AppHandlers } from '../../shared/api/contract.ts'
import type { Store } from '../store/store.ts'
import type { Workspaces } from '../workspace/workspaces.ts'

/** Folders shown again. */
const RECENT = 12

export function workspaceHandlers({
  store,
  workspaces,
}: {
  readonly store: Store
  readonly workspaces: Workspaces
}): AppHandlers['workspace'] {
  return {
    async inspect({ folder }) {
      const inspected = await workspaces.inspect(folder)
      if (!inspected.ok) return { ok: false, trouble: inspected.failure }
      const trusted = store.folders.trust(inspected.value.folder)
      return { ok: true, facts: { ...inspected.value, trust: trusted === null ? 'unasked' : trusted ? 'yes' : 'no' } }
    },
    async trust({ folder, trusted }) {
      const inspected = await workspaces.inspect(folder)
      if (!inspected.ok) return { ok: false }
      store.folders.decide(inspected.value.folder, trusted)
      return { ok: true }
    },
    complete: ({ typed }) => workspaces.complete(typed),
    recent: () => ({ folders: store.folders.recent(RECENT) }),
  }
}
