import { join } from 'node:path'
import type { SessionSummary } from '../../../shared/api/sessions.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { isFar } from '../../../shared/places/address.ts'
import type { BroughtFromAgent } from '../../../shared/session/effects.ts'
import { ownPlaceOf, type Where } from '../../../shared/session/settings/where.ts'
import { createToolRegistry } from '../../agent/tool-registry.ts'
import { agentIdOf, type KnownAgent } from '../../foreign-agents/known-agents.ts'
import { unsignedTurns } from '../../layers/unsigned-turns.ts'
import { removalWords, removeRefused, type RefusedParts } from '../../layers/remove-refused.ts'
import type { UndoOutcome } from '../../../shared/session/undo-preview.ts'
import { undoBringIn } from '../../layers/undo-bring-in.ts'
import type { SessionPlaces } from '../../api/session-places.ts'
import { createLocalExecutionEnvironment } from '../../environment/local-environment.ts'
import { bringInModel, bringInRequest } from '../../layers/bring-in-model.ts'
import { createBringInTool } from '../../tools/built-in/bring-in.ts'
import type { Sessions } from '../../sessions/sessions.ts'
import type { SessionRuntime } from '../../sessions/running-place.ts'
import type { Store } from '../../store/store.ts'
import type { TerminalPlace } from '../../terminals/own-shell.ts'
import { NO_LAYERS, type Workspace, type Workspaces } from '../../workspace/workspaces.ts'

interface PlaceParts {
  readonly store: Store
  readonly workspaces: Workspaces
}

/** Opens the place where a session works: a layer, or the folder itself. A session beside the folder gets its layer when it is opened. */
export async function openPlace({ store, workspaces }: PlaceParts, session: SessionSummary): Promise<Result<Workspace, Trouble>> {
  const { folder, sessionId } = session
  const owner = store.sessions.layerOf(sessionId)
  if (owner === null) return workspaces.open(folder)
  if (owner === sessionId && session.parent === null) {
    const trouble = await makeLayer({ store, workspaces }, session)
    if (trouble) return failed(trouble)
  }
  return workspaces.openLayer(folder, owner)
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
    return notMade(error instanceof Error ? error.message : String(error))
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

export const trustedPlaces =
  (parts: PlaceParts & { isTrusted(folder: string): boolean }): SessionPlaces['openPlace'] =>
  async (sessionId) => {
    const session = parts.store.sessions.get(sessionId)
    return session !== null && parts.isTrusted(session.folder) ? openPlace(parts, session) : failed(NOT_TRUSTED)
  }

/**
 * `isInLayer`: whether the user's shell works in the session's layer, if there is one. In a folder, the shell gets an environment of its
 * own, because nobody takes over the user's shells after a crash.
 */
export const terminalPlaces =
  (openPlace: SessionPlaces['openPlace']) =>
  async (sessionId: SessionId, isInLayer: boolean): Promise<Result<TerminalPlace, Trouble>> => {
    const opened = await openPlace(sessionId)
    if (!opened.ok) return opened
    if (opened.value.isLayer && isInLayer) return ok({ ...opened.value, isUnconfined: opened.value.inside === null })
    const { folder, address, close } = opened.value
    if (isFar(address)) return ok({ ...opened.value, isFar: true })
    await close()
    const environment = createLocalExecutionEnvironment(folder)
    return ok({ environment, close: () => environment.cleanup() })
  }

const NOT_TRUSTED: Trouble = {
  code: 'not_trusted',
  what: 'The folder of this session does not exist or is not trusted, so nothing was opened in it.',
  kept: 'The folder is unchanged.',
  todo: 'Trust the folder, then try again.',
}

type BringInSession = SessionSummary & { readonly config: { readonly where: Extract<Where, { kind: 'bring-in' }> } }

export const bringsIn = (session: SessionSummary): session is BringInSession => session.config.where?.kind === 'bring-in'

interface BringInParts extends Pick<Workspace, 'layers' | 'folder'> {
  readonly store: Store
  sessions(): Pick<Sessions, 'open'>
  /** A third-party agent, by its id. Null if it is not known. */
  foreignAgent(id: string): KnownAgent | null
}

/** The runtime of a session that does nothing but bring in the work of another one. */
export function bringInRuntime(
  runtime: SessionRuntime,
  { sessionId, config: { where } }: BringInSession,
  { layers, folder, store, sessions, foreignAgent }: BringInParts,
): SessionRuntime {
  const { from } = where
  if (layers === null) return runtime
  const agentName = (id: string): string => foreignAgent(id)?.name ?? id
  const title = (): string => store.sessions.get(from)?.title || 'a deleted session'
  const agent = async (paths: readonly string[]): Promise<BroughtFromAgent | undefined> => {
    const id = otherAgent()
    if (id === null) return undefined
    const turns = await unsignedTurns({ store, from, asking: sessionId }, new Set(paths.map((path) => join(folder, path))))
    return { name: agentName(id), turns }
  }
  const registry = createToolRegistry([createBringInTool({ from, title, agent, layers })])
  const removed = async (): Promise<UndoOutcome | null> => {
    const carryOut: RefusedParts['carryOut'] = async (decide) => {
      const source = await sessions().open(from)
      return source.ok ? source.value.carryOutUndo(decide) : { kind: 'refused', trouble: source.failure }
    }
    return removeRefused({ asking: sessionId, from, store, layers, carryOut })
  }
  const otherAgent = (): string | null => {
    const config = store.sessions.get(from)?.config
    return config ? agentIdOf(config) : null
  }
  const after = async (isApplied: boolean): Promise<string> => {
    const id = otherAgent()
    if (id !== null) return removalWords(await removed(), agentName(id))
    // Its request waits on, because nobody has answered it.
    if (store.sessions.get(from) === null) return 'The session is deleted. Anything you did not sign is in the bin (Settings, Storage).'
    return `${isApplied ? 'Anything you did not sign stays' : 'All changes stay'} in the ${ownPlaceOf(store.sessions.get(from)?.config)}.`
  }
  return {
    ...runtime,
    undo: undoBringIn(runtime.undo, { from, folder, layers, blobs: store.blobs }),
    modelOf: bringInModel,
    request: bringInRequest({ before: async () => otherAgent() !== null && removed(), after }),
    toolSetFor: (config) => ({ ...runtime.toolSetFor(config), registry }),
  }
}
