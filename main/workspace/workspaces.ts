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
import { filesLoadedOnceTrusted } from './files-loaded-once-trusted.ts'
import { createWriteLock, type WriteLock } from './write-lock.ts'
import type { Policy } from '../agent/ports/policy.ts'
import type { PathFacts } from '../agent/ports/tool.ts'

export interface WorkspaceParts {
  /** Makes the environment of a folder. Accesses nothing until the environment is used. */
  createEnvironment(folder: string): ExecutionEnvironment
  /** Called with the real path of each folder before it is used as a project. Inspected folders are not passed. */
  onOpen?(folder: string): void
  /** Makes the copies in which a folder's commands run. If absent, all commands run for real. */
  createCopies?(folder: string): CommandCopies
  /** Makes the layers in which sessions work beside the folder. If absent, all of them work in the folder itself. */
  readonly own?: LayerWork
  /** Makes the comparison of a folder before and after a command that runs for real. If absent, nothing is compared. */
  createComparison?(folder: string): FolderComparison
  /** True if no command may run for real. Default: commands may run for real. */
  readonly isSandboxRequired?: boolean
  /** The PATH of commands. If absent, nothing is known about it. */
  commandPath?(): string | undefined
  readonly home: string
  /** Real paths of our own folders (data, settings). Writing there needs a signature in every mode. */
  readonly ownFolders: readonly string[]
}

/** The layers of all folders. */
export interface LayerWork {
  /** The layers over a folder, given by its real path. Accesses nothing. */
  layersOf(folder: string): Layers
  /** Ends everything that runs in layers. */
  close(): Promise<void>
}

interface InspectedFolder {
  /** Real path. Trust is bound to it. */
  readonly folder: string
  readonly name: string
  /** The files that would be read or loaded once the folder is trusted. They are found by name, without reading them. */
  readonly wouldLoad: readonly LoadedFile[]
}

export interface Workspaces {
  /** The workspace of a folder, shared by all sessions in it. Reads nothing in the folder. */
  open(folder: string): Promise<Result<Workspace, Trouble>>
  /** The workspace of a session's layer, shared by the sessions that work in it. `folder` is the real path of the project. */
  openLayer(folder: string, sessionId: SessionId): Promise<Result<Workspace, Trouble>>
  inspect(folder: string): Promise<Result<InspectedFolder, Trouble>>
  /** The real path of an existing, readable folder. `folder` is the path as typed. */
  find(folder: string): Promise<Result<string, Trouble>>
  complete(typed: string): Promise<Completion>
  /** Ends every process in all workspaces, and waits until they have ended. */
  closeAll(): Promise<void>
}

interface Shared {
  readonly workspace: Omit<Workspace, 'close'>
  users: number
}

export function createWorkspaces(parts: WorkspaceParts): Workspaces {
  const { home, createEnvironment } = parts
  const mayOpen = (folder: string): Promise<void> => createEnvironment(folder).initialize()
  const browsing = createEnvironment(home)
  const opened = new Map<string, Shared>()
  // All workspaces in use, including those whose folder was replaced by another folder at the same path.
  const live = new Set<Shared>()
  const closing = new Map<string, Promise<void>>()
  return {
    async open(folder) {
      const real = await realFolder(browsing, typedFolder(folder, home), mayOpen)
      if (!real.ok) return real
      parts.onOpen?.(real.value)
      const realHome = await browsing.realpath(home)
      const known = opened.get(real.value)
      if (known && !(await isSame(known)) && opened.get(real.value) === known) opened.delete(real.value)
      const shared = opened.get(real.value) ?? { workspace: createWorkspace(real.value, { ...parts, home: realHome }), users: 0 }
      opened.set(real.value, shared)
      live.add(shared)
      shared.users++
      // This check binds the workspace to this exact folder, even if another folder takes its path later.
      await isSame(shared)
      return ok({ ...shared.workspace, close: closer({ opened, live, closing }, real.value, shared) })
    },
    async openLayer(folder, sessionId) {
      const { own } = parts
      if (!own) return failed(NO_LAYERS)
      const realHome = await browsing.realpath(home)
      const key = `${folder}\0${sessionId}`
      // Only one program at a time can hold the layer's mount.
      await closing.get(key)
      const layer = await own.layersOf(folder).open(sessionId)
      // Opening the layer has started nothing. If another session has opened it in the meantime, its workspace is used.
      const shared = opened.get(key) ?? { workspace: createLayerWorkspace(folder, layer, { ...parts, home: realHome }), users: 0 }
      opened.set(key, shared)
      live.add(shared)
      shared.users++
      return ok({ ...shared.workspace, close: closer({ opened, live, closing }, key, shared) })
    },
    async inspect(folder) {
      const real = await realFolder(browsing, typedFolder(folder, home), mayOpen)
      if (!real.ok) return real
      return ok({
        folder: real.value,
        name: basename(real.value) || real.value,
        wouldLoad: await filesLoadedOnceTrusted(browsing, real.value),
      })
    },
    find: (folder) => realFolder(browsing, typedFolder(folder, home), mayOpen),
    complete: (typed) => completeFolder({ env: browsing, home, mayOpen }, typed),
    async closeAll() {
      const all = [...live]
      opened.clear()
      live.clear()
      await tryAllAtOnce([browsing.cleanup(), ...all.map(({ workspace }) => endProcesses(workspace))])
      await parts.own?.close()
    },
  }
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
async function realFolder(
  env: ExecutionEnvironment,
  folder: string,
  mayOpen: (folder: string) => Promise<void>,
): Promise<Result<string, Trouble>> {
  try {
    const real = await env.realpath(folder)
    const stat = await env.stat(real)
    if (stat?.kind !== 'folder') return failed(folderTrouble(folder, stat === null ? 'ENOENT' : 'ENOTDIR'))
    await mayOpen(real)
    return ok(real)
  } catch (error) {
    return failed(troubleOf(folder, error))
  }
}

/** Nothing runs for real in a layer, and everything in it is shown before it is brought in. */
function createLayerWorkspace(
  folder: string,
  { environment, inside, copies, layers }: OpenedLayer,
  { home, ownFolders }: Pick<WorkspaceParts, 'home' | 'ownFolders'>,
): Omit<Workspace, 'close'> {
  return createWorkspace(folder, {
    createEnvironment: () => environment,
    createCopies: () => copies,
    ...(inside && { createComparison: () => inside.comparison }),
    home,
    ownFolders,
    isSandboxRequired: true,
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
  folder: string,
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
  /** Real path. */
  readonly folder: string
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
 * Commands run in copies, except in full mode and in layers. Before other commands, what they may change is looked at. The files of a layer
 * are looked at again when the user has sent a message, and by each call that comes some time after the one before it.
 */
export function prepareCommands({ copies, inside, comparison }: Workspace, mode: ApprovalMode, isFirst: boolean): void {
  if (copies && !inside && mode !== 'full') copies.support().catch(() => {})
  else if (!inside || isFirst) comparison?.prepare()
}
