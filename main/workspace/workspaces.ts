import { basename } from 'node:path'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import { tryAllAtOnce } from '../../shared/lib/try-all.ts'
import type { LoadedFile } from '../../shared/api/workspace.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { ApprovalMode } from '../../shared/session/settings/approval-mode.ts'
import type { CommandCopies } from '../agent/ports/command-copies.ts'
import type { CommandsInLayer, Layers, OpenedLayer } from '../agent/ports/layers.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import type { FolderComparison } from '../agent/ports/folder-comparison.ts'
import { createPathFacts } from '../approval/path-facts.ts'
import { createPolicy } from '../approval/policy.ts'
import { completeFolder, type Completion, typedFolder } from './complete-folder.ts'
import { folderTrouble, troubleOf } from './folder-trouble.ts'
import { lookAhead, oneLook } from '../agent/one-look.ts'
import { filesLoadedOnceTrusted } from './files-loaded-once-trusted.ts'
import { addressOf, parseAddress, type Place } from '../../shared/places/address.ts'
import type { FarPlace, LayerWork, PlaceWork } from './place.ts'
import { createWriteLock, type WriteLock } from './write-lock.ts'
import type { Policy } from '../agent/ports/policy.ts'
import type { PathFacts } from '../agent/ports/tool.ts'

export interface WorkspaceParts extends PlaceWork {
  /** True if no command may run for real. Default: commands may run for real. */
  readonly isSandboxRequired?: boolean
  /** Connects to another place. If absent, only folders on this computer can be opened. */
  elsewhere?(place: Place): Promise<Result<FarPlace, Trouble>>
  /** The place if the app is connected to it. Otherwise null. */
  connected?(place: Place): Promise<FarPlace | null>
}

interface InspectedFolder {
  /** The address of the real folder. Trust is bound to it. */
  readonly folder: string
  readonly name: string
  /** The files that would be read or loaded once the folder is trusted. They are found by name, without reading them. */
  readonly wouldLoad: readonly LoadedFile[]
}

export interface Workspaces {
  /** The workspace of a folder, given by its address and shared by all sessions in it. Reads nothing in the folder. */
  open(folder: string): Promise<Result<Workspace, Trouble>>
  /** The workspace of a session's layer, shared by the sessions that work in it. `folder` is the address of the project. */
  openLayer(folder: string, sessionId: SessionId): Promise<Result<Workspace, Trouble>>
  /** The environment of a workspace that is open now, without opening it. `layer`: the session that owns the layer. Null: the folder's. */
  openNow(folder: string, layer: SessionId | null): ExecutionEnvironment | null
  inspect(folder: string): Promise<Result<InspectedFolder, Trouble>>
  /** The address of an existing, readable folder. `folder` is its address as typed. */
  find(folder: string): Promise<Result<string, Trouble>>
  complete(typed: string): Promise<Completion>
  /** An environment for reading in a folder that no session has opened yet. Rejects if its place cannot be reached. */
  reading(folder: string): Promise<ExecutionEnvironment>
  /** Ends every process in all workspaces, and waits until they have ended. */
  closeAll(): Promise<void>
}

interface Shared {
  readonly workspace: Omit<Workspace, 'close'>
  users: number
}

export function createWorkspaces(parts: WorkspaceParts): Workspaces {
  const browsing = parts.createEnvironment(parts.home)
  const opened = new Map<string, Shared>()
  // All workspaces in use, including those whose folder was replaced by another folder at the same path.
  const live = new Set<Shared>()
  const closing = new Map<string, Promise<void>>()
  /** Access to the folders of a place. Connects to it if it is not this computer. */
  const workAt = async (place: Place | null): Promise<Result<At, Trouble>> => {
    if (place === null) return ok({ work: parts, place, browsing })
    if (!parts.elsewhere) return failed(NO_PLACES)
    const far = await parts.elsewhere(place)
    return far.ok ? ok({ work: far.value, place, browsing: far.value.createEnvironment(far.value.home) }) : far
  }
  const found = async (typed: string): Promise<Result<FoundFolder, Trouble>> => {
    const { place, folder } = parseAddress(typed)
    const at = await workAt(place)
    if (!at.ok) return at
    const real = await realFolder(at.value, typedFolder(folder, at.value.work.home))
    return real.ok ? ok({ ...at.value, folder: real.value, address: addressOf(place, real.value) }) : real
  }
  return {
    async open(typed) {
      const at = await found(typed)
      if (!at.ok) return at
      const { work, folder, address } = at.value
      work.onOpen?.(folder)
      const realHome = await at.value.browsing.realpath(work.home)
      const known = opened.get(address)
      if (known && !(await isSame(known)) && opened.get(address) === known) opened.delete(address)
      const shared = opened.get(address) ?? {
        workspace: createWorkspace({ folder, address }, { ...work, home: realHome, isSandboxRequired: parts.isSandboxRequired === true }),
        users: 0,
      }
      opened.set(address, shared)
      live.add(shared)
      shared.users++
      // This check binds the workspace to this exact folder, even if another folder takes its path later.
      await isSame(shared)
      return ok({ ...shared.workspace, close: closer({ opened, live, closing }, address, shared) })
    },
    async openLayer(address, sessionId) {
      const { place, folder } = parseAddress(address)
      const at = await workAt(place)
      if (!at.ok) return at
      const { own, home, ownFolders } = at.value.work
      if (!own) return failed(NO_LAYERS)
      const key = keyOf(address, sessionId)
      // Only one program at a time can hold the layer's mount.
      await closing.get(key)
      const layer = await layerOf(own, folder, sessionId)
      if (!layer.ok) return layer
      const realHome = await at.value.browsing.realpath(home)
      const workspace = () => createLayerWorkspace({ folder, address }, layer.value, { home: realHome, ownFolders })
      // Opening the layer has started nothing. If another session has opened it in the meantime, its workspace is used.
      const shared = opened.get(key) ?? { workspace: workspace(), users: 0 }
      opened.set(key, shared)
      live.add(shared)
      shared.users++
      return ok({ ...shared.workspace, close: closer({ opened, live, closing }, key, shared) })
    },
    openNow: (address, layer) => opened.get(keyOf(address, layer))?.workspace.environment ?? null,
    // Nothing in the folder is read before it is trusted.
    inspect: (typed) => oneLook(async () => inspected(await found(typed)), false),
    async find(typed) {
      const at = await found(typed)
      return at.ok ? ok(at.value.address) : at
    },
    async complete(typed) {
      const { place, folder } = parseAddress(typed)
      // A partly typed address may name a host that the user does not mean, so no connection is made.
      if (place !== null && !(await parts.connected?.(place))) return { folders: [], exists: false }
      const at = await workAt(place)
      if (!at.ok) return { folders: [], exists: false }
      const { work } = at.value
      const mayOpen = place === null ? (path: string) => work.createEnvironment(path).initialize() : () => Promise.resolve()
      const { folders, exists } = await completeFolder({ env: at.value.browsing, home: work.home, mayOpen }, folder)
      return { folders: folders.map((one) => addressOf(place, one)), exists }
    },
    async reading(folder) {
      const at = await workAt(parseAddress(folder).place)
      if (!at.ok) throw new Error(at.failure.what)
      return at.value.work.createEnvironment(parseAddress(folder).folder)
    },
    async closeAll() {
      const all = [...live]
      opened.clear()
      live.clear()
      await tryAllAtOnce([browsing.cleanup(), ...all.map(({ workspace }) => endProcesses(workspace))])
      await parts.own?.close()
    },
  }
}

/** Access to the folders of a place, with an environment for finding folders there. `place`: null for this computer. */
interface At {
  readonly work: PlaceWork
  readonly place: Place | null
  readonly browsing: ExecutionEnvironment
}

const keyOf = (address: string, layer: SessionId | null): string => (layer === null ? address : `${address}\0${layer}`)

/** A folder that exists and can be read. */
interface FoundFolder extends At {
  readonly folder: string
  readonly address: string
}

async function inspected(at: Result<FoundFolder, Trouble>): Promise<Result<InspectedFolder, Trouble>> {
  if (!at.ok) return at
  const { folder, address, place, work, browsing } = at.value
  const env = place === null ? browsing : work.createEnvironment(folder)
  return ok({ folder: address, name: basename(folder) || folder, wouldLoad: await filesLoadedOnceTrusted(env, folder) })
}

const NO_PLACES: Trouble = {
  code: 'no_places',
  what: 'Folders on other machines cannot be opened, because the caller provides the execution environment.',
  kept: 'Nothing was opened or changed.',
  todo: 'Use a folder in that environment.',
}

/**
 * Whether the path still leads to the same folder. If another folder has taken the path, sessions of the first folder stay bound to it and
 * get an error.
 */
async function isSame({ workspace }: Shared): Promise<boolean> {
  return workspace.environment.initialize().then(
    () => true,
    () => false,
  )
}

interface Open {
  readonly opened: Map<string, Shared>
  readonly live: Set<Shared>
  /** The workspaces whose processes are ending. Never rejects. */
  readonly closing: Map<string, Promise<void>>
}

function closer({ opened, live, closing }: Open, folder: string, shared: Shared): () => Promise<void> {
  let isOpen = true
  return async () => {
    if (!isOpen) return
    isOpen = false
    if (--shared.users > 0 || !live.delete(shared)) return
    if (opened.get(folder) === shared) opened.delete(folder)
    const ended = endProcesses(shared.workspace)
    const over = ended.catch(() => {})
    closing.set(folder, over)
    void over.then(() => closing.get(folder) === over && closing.delete(folder))
    await ended
  }
}

async function endProcesses({ environment, copies, comparison }: Omit<Workspace, 'close'>): Promise<void> {
  comparison?.dispose()
  await tryAllAtOnce([environment.cleanup(), ...(copies ? [copies.cleanup()] : [])])
}

/** The real path, if the folder exists and is readable. */
async function realFolder({ work, browsing }: At, folder: string): Promise<Result<string, Trouble>> {
  try {
    // The home folder is needed next.
    await lookAhead(browsing, [folder, work.home], 'facts')
    const real = await browsing.realpath(folder)
    const stat = await browsing.stat(real)
    if (stat?.kind !== 'folder') return failed(folderTrouble(folder, stat === null ? 'ENOENT' : 'ENOTDIR'))
    await work.createEnvironment(real).initialize()
    return ok(real)
  } catch (error) {
    return failed(troubleOf(folder, error))
  }
}

/** On another machine, the layer can be opened only if the machine answers. */
async function layerOf(own: LayerWork, folder: string, sessionId: SessionId): Promise<Result<OpenedLayer, Trouble>> {
  try {
    return ok(await own.layersOf(folder).open(sessionId))
  } catch (error) {
    return failed(troubleOf(folder, error))
  }
}

/** Nothing runs for real in a layer that confines commands, and everything in it is shown before it is brought in. */
function createLayerWorkspace(
  at: Pick<Workspace, 'folder' | 'address'>,
  { environment, inside, copies, layers, unconfined }: OpenedLayer,
  { home, ownFolders }: Pick<WorkspaceParts, 'home' | 'ownFolders'>,
): Omit<Workspace, 'close'> {
  const comparison = inside?.comparison ?? unconfined
  return createWorkspace(at, {
    createEnvironment: () => environment,
    createCopies: () => copies,
    ...(comparison && { createComparison: () => comparison }),
    home,
    ownFolders,
    isSandboxRequired: unconfined === undefined,
    layer: { inside, layers },
  })
}

export const NO_LAYERS: Trouble = {
  code: 'no_layers',
  what: 'This session works beside the folder, and sessions cannot work beside a folder here.',
  kept: 'The session and what it has changed are kept.',
  todo: 'Start Countersign with its sandbox, on a machine on which commands can run in copies.',
}

function createWorkspace(
  { folder, address }: Pick<Workspace, 'folder' | 'address'>,
  parts: WorkspaceParts & { readonly layer?: Pick<OpenedLayer, 'inside' | 'layers'> },
): Omit<Workspace, 'close'> {
  const {
    home,
    ownFolders,
    createEnvironment,
    createCopies,
    createComparison,
    isSandboxRequired = false,
    layer = null,
    own,
    commandPath,
  } = parts
  const environment = createEnvironment(folder)
  const { exclusively } = createWriteLock()
  const place = createPathFacts({ env: environment, root: folder, home, ownFolders })
  const copies = createCopies?.(folder) ?? null
  const inside = layer?.inside ?? null
  return {
    folder,
    address,
    environment,
    copies,
    layers: layer ? layer.layers : ((copies && own?.layersOf(folder)) ?? null),
    comparison: createComparison?.(folder) ?? null,
    policy: createPolicy({
      root: folder,
      home,
      isSandboxRequired,
      isLayer: layer !== null,
      runsInLayer: inside !== null,
      platform: environment.platform(),
      disk: { env: environment, place },
      ...(commandPath && { commandPath }),
    }),
    place,
    home,
    isSandboxRequired,
    isLayer: layer !== null,
    inside,
    exclusively,
  }
}

/** One folder and everything its sessions share. */
export interface Workspace extends WriteLock {
  /** The real path at the folder's place. */
  readonly folder: string
  /** The address: place and folder together. Equal to `folder` on this computer. */
  readonly address: string
  readonly environment: ExecutionEnvironment
  /** Null if commands only run for real. */
  readonly copies: CommandCopies | null
  /** The layers over the folder. Null if subagents write in the folder itself, one at a time. */
  readonly layers: Layers | null
  /** Null if the folder is not compared before and after commands. */
  readonly comparison: FolderComparison | null
  /** The folder for which `~` stands. */
  readonly home: string
  readonly policy: Policy
  /** The facts about a path that the policy needs. */
  place(path: string): Promise<PathFacts>
  /** Whether commands must not run for real. */
  readonly isSandboxRequired: boolean
  /** Whether this is a layer over the folder, in which no program may run for real either. */
  readonly isLayer: boolean
  /** How commands run in the layer itself. Null if they run in copies or in the folder. */
  readonly inside: CommandsInLayer | null
  /** Releases the workspace. The last release ends its processes. A second call does nothing. */
  close(): Promise<void>
}

/**
 * Prepares for the next command. Commands run in copies, except in full mode and in layers. For other commands, the folder is scanned, so that
 * their changes can be found. A layer is scanned when the user has sent a message, and later by each call that comes some time after the one
 * before it.
 */
export function prepareCommands({ copies, inside, comparison }: Workspace, mode: ApprovalMode, isFirst: boolean): void {
  if (copies && !inside && mode !== 'full') copies.support().catch(() => {})
  else if (!inside || isFirst) comparison?.prepare()
}
