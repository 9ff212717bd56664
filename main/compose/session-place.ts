import type { SessionSummary } from '../../shared/api/sessions.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import { failed, type Result } from '../../shared/lib/result.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { Where } from '../../shared/session/settings/where.ts'
import { toolError } from '../agent/tool-output.ts'
import { createToolRegistry } from '../agent/tool-registry.ts'
import { undoBringIn } from '../layers/undo-bring-in.ts'
import { bringInModel, bringInRequest } from '../layers/bring-in-model.ts'
import { createBringInTool } from '../tools/built-in/bring-in.ts'
import type { SessionRuntime } from '../sessions/running-place.ts'
import type { Store } from '../store/store.ts'
import { NO_LAYERS, type Workspace, type Workspaces } from '../workspace/workspaces.ts'

interface PlaceParts {
  readonly store: Store
  readonly workspaces: Workspaces
}

/** Opens the place where a session works: a layer, or the folder itself. A session beside the folder gets its layer when it is opened. */
export async function openPlace({ store, workspaces }: PlaceParts, session: SessionSummary): Promise<Result<Workspace, Trouble>> {
  const { folder, sessionId } = session
  const owner = layerOwner(store, session)
  if (owner === null) return workspaces.open(folder)
  if (owner === sessionId && session.parent === null) {
    const trouble = await makeLayer({ store, workspaces }, session)
    if (trouble) return failed(trouble)
  }
  return workspaces.openLayer(folder, owner)
}

/** The session in whose layer this session works. Null if it works in the folder itself. */
function layerOwner({ sessions }: Pick<Store, 'sessions'>, session: SessionSummary): SessionId | null {
  const { parent, config, sessionId } = session
  if (parent === null) return config.where?.kind === 'beside' ? sessionId : null
  if (parent.ownCopy) return sessionId
  const starter = sessions.get(parent.sessionId)
  return starter && layerOwner({ sessions }, starter)
}

async function makeLayer({ store, workspaces }: PlaceParts, { folder, sessionId }: SessionSummary): Promise<Trouble | null> {
  const opened = await workspaces.open(folder)
  if (!opened.ok) return opened.failure
  const { layers, close } = opened.value
  try {
    if (!layers) return NO_LAYERS
    const missing = await layers.missing()
    if (missing !== null) return notMade(missing)
    await layers.makeIfMissing(sessionId, store.sessions.forks().get(sessionId))
    return null
  } catch (error) {
    return notMade(toolError(error))
  } finally {
    await close()
  }
}

const notMade = (why: string): Trouble => ({
  code: 'layer_not_made',
  what: `The layer in which this session works could not be made. ${why}`,
  kept: 'The folder and the session are unchanged.',
  todo: 'Mend the cause and open the session again, or start a session that works in the folder itself.',
})

type BringInSession = SessionSummary & { readonly config: { readonly where: Extract<Where, { kind: 'bring-in' }> } }

export const bringsIn = (session: SessionSummary): session is BringInSession => session.config.where?.kind === 'bring-in'

/** The runtime of a session that does nothing but bring in the work of another one. */
export function bringInRuntime(
  runtime: SessionRuntime,
  { config: { where } }: BringInSession,
  { layers, folder, store }: Pick<Workspace, 'layers' | 'folder'> & { readonly store: Store },
): SessionRuntime {
  const { from } = where
  if (layers === null) return runtime
  const title = (): string => store.sessions.get(from)?.title || 'a deleted session'
  const registry = createToolRegistry([createBringInTool({ from, title, layers })])
  return {
    ...runtime,
    undo: undoBringIn(runtime.undo, { from, folder, layers, blobs: store.blobs }),
    modelOf: bringInModel,
    request: bringInRequest,
    toolSetFor: (config) => ({ ...runtime.toolSetFor(config), registry }),
  }
}
