import { readFile, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BlobHash } from '../../../shared/lib/ids.ts'
import { once } from '../../../shared/lib/once.ts'
import type {
  ApplyOutcome,
  CommandCopies,
  Confined,
  CopyChangeSet,
  CopyOptions,
  CopySupport,
  EndedCopy,
  ConfineOptions,
  SignedFile,
  IgnoredTree,
} from '../../agent/ports/command-copies.ts'
import { EnvironmentFailure } from '../environment-failure.ts'
import type { CommandParts } from '../process/run-command.ts'
import { type Application, applyChanges } from './apply/apply-changes.ts'
import { fromLayer, type NewBytes } from './apply/stage.ts'
import { changeSetOf } from './changes/change-set.ts'
import { parseKept } from './changes/change-set-schema.ts'
import type { IsControl } from './changes/ignored-tree.ts'
import { gitChange } from './git/git-change.ts'
import { ignoredPartsBelow } from '../search/ignore/folder-ignore-rules.ts'
import { spawnProgram } from '../process/spawn-program.ts'
import { heldBy, keepChangeSet, withCurrentDevice } from './changes/keep-change-set.ts'
import { type Layer, makeLayer, removeLayer } from './overlay-layer.ts'
import { createKeptSupport, type KeptSupport, type SupportStorage } from './kept-support.ts'
import { homeOf, type RunInCopy, runInCopy } from './run-in-copy.ts'
import { createHomeChanges, createTemporary } from './shared-copy-folders.ts'
import { confine } from './start/confine.ts'
import { type ControlGuard, createControlGuards } from './guard/control-guard.ts'
import { createGuardKeeper } from './guard/persisted-guard.ts'
import { createSignedFiles, type SignedFiles } from './guard/control-file-contents.ts'
import { DATA_INSIDE, failedTrial, isForLackOfRoom, missingPart, mountInside, mountsBelow } from './copy-support.ts'
import { mayMapEverybody } from './start/namespaces.ts'
import { isBelow } from './start/sandbox-view.ts'

const MAX_BYTES = 2 * 1024 ** 3
/** Number of changes from which a layer is removed after `apply` has resolved. */
const MANY = 200

export interface CopyParts {
  /** The folder whose commands run in copies. */
  readonly folder: string
  /** The folder that is shown to commands as `folder`, and to which changes are applied. If left out, `folder` itself. */
  readonly source?: string
  /**
   * Folders that are shown to commands over `source`, the uppermost first: the upper folders of a layer. Such copies are only for commands
   * whose changes are dropped. If left out, there are none.
   */
  readonly above?: () => Promise<readonly string[]>
  /** The folder in which copies are kept while they are needed. Preferably on the same file system as `folder`, never inside it. */
  readonly layers: string
  readonly commands: CommandParts
  /** Other folders of Countersign that no command may see. */
  readonly hidden?: readonly string[]
  /** Whether the copies share one `/tmp` until `cleanup`. If left out, each copy has an empty `/tmp`. */
  readonly keepsTemporary?: boolean
  /** Returns whether a path in the folder is a control file, which is always shown to the user. If left out, there are no control files. */
  readonly isControl?: IsControl
  /** The files that signed steps wrote in this folder and others. If left out, only the files passed to `sign`. */
  readonly signed?: SignedFiles
  /** Keeps for later launches that copies can be made. If left out, each process tries it once. */
  readonly keptSupport?: SupportStorage
}

/** Copies on this machine, made with a Linux overlay inside bubblewrap. */
export function createOverlayCommandCopies(parts: CopyParts): CommandCopies {
  const kept = new Set<Layer>()
  const support = createSupport(parts)
  /** Removes a layer, unless applying its changes has begun: then it may contain files of the user that could not be put back. */
  const drop = async (layer: Layer): Promise<void> => {
    if (kept.delete(layer)) await removeLayer(layer)
  }
  const { apply, whenApplied } = createApplier((layer) => kept.delete(layer))
  const temporary = createTemporary(parts)
  const homeChanges = createHomeChanges()
  const everybody = once(() => mayMapEverybody())
  const run = async (command: string, options: CopyOptions = {}): Promise<EndedCopy> => {
    const [folder, source, home] = await Promise.all([realpath(parts.folder), sourceOf(parts), homeOf()])
    const scratch = home === null ? null : await homeChanges.take(home, folder)
    const layer = await makeLayer(parts.layers, { folder: source, home, scratch: scratch?.path ?? null }).catch((error: unknown) => {
      scratch?.giveBack()
      throw error
    })
    kept.add(layer)
    try {
      const maxBytes = options.maxBytes ?? MAX_BYTES
      const ended = await runInCopy(
        {
          commands: parts.commands,
          folder,
          source,
          above: (await parts.above?.()) ?? [],
          home,
          ours: await oursOutside(folder, parts),
          maxBytes,
          temporary: await temporary.path(),
          mapsEverybody: await everybody(),
        },
        layer,
        command,
        options,
      )
      if (ended.stopped === null) scratch?.giveBack()
      else scratch?.giveUp()
      const changeSet = withStop(await changeSetOf(layer, source, maxBytes, parts.isControl ?? (() => false)), ended.stopped)
      return endedCopy(ended, { ...parts, layer, folder, source, changeSet }, { apply, drop: () => drop(layer) })
    } catch (error) {
      scratch?.giveUp()
      await drop(layer)
      support.doubt()
      throw await mountFailure(error, source)
    }
  }
  const { closeAll, ...confinements } = createConfinements(parts, everybody)
  return {
    ...confinements,
    support: () => support.find(run),
    run,
    parseKept,
    async apply(changeSet, bytesOf, only) {
      const [folder, source] = await Promise.all([realpath(parts.folder), sourceOf(parts)])
      if (changeSet.folder !== folder)
        return { kind: 'refused', reason: `Nothing was applied: these changes belong to another folder, ${changeSet.folder}.`, path: null }
      const layer = await makeLayer(parts.layers, { folder: source, home: null, scratch: null })
      const read: NewBytes['read'] = async ({ hash }) => bytesOf(BlobHash.parse(hash))
      const newBytes: NewBytes = { read, write: async (file, to) => writeFile(to, await read(file), { flag: 'wx', mode: 0o600 }) }
      const treePath = (_: string, { held }: IgnoredTree): string => join(parts.layers, held)
      const current = await withCurrentDevice(changeSet, source)
      try {
        return await apply({ layer, newBytes, treePath, folder: source, changeSet: current, only: only ?? null })
      } finally {
        await release(parts.layers, changeSet)
      }
    },
    async ignoredParts(paths) {
      const ignoredPart = ignoredPartsBelow(await sourceOf(parts))
      return paths.map(({ path, isFolder }) => ignoredPart(path, isFolder))
    },
    keeps: async (path) => (await temporary.keeps(path)) || homeChanges.keeps(await homeOf(), path),
    release: (changeSet) => release(parts.layers, changeSet),
    async cleanup() {
      await parts.commands.table.endAll()
      await whenApplied()
      await closeAll()
      for (const layer of kept) await drop(layer)
      await temporary.remove()
      await homeChanges.remove()
    },
  }
}

/** Creates the confinements of one folder. Each has its own layer for bubblewrap's arguments. */
function createConfinements(parts: CopyParts, everybody: () => Promise<boolean>) {
  const open = new Set<Confined>()
  const signed = parts.signed ?? createSignedFiles()
  const guards = createGuards(parts, signed)
  return {
    sign: (files: readonly SignedFile[]): void => signed.add(files),
    async confine(options: ConfineOptions = {}): Promise<Confined> {
      const [folder, source, home] = await Promise.all([realpath(parts.folder), sourceOf(parts), homeOf()])
      const ours = await oursOutside(folder, parts)
      const [guard, mapsEverybody] = await Promise.all([guards.begin(folder, source), everybody()])
      const layer = await makeLayer(parts.layers, { folder: source, home, scratch: null })
      const confined = await confine({ folder, source, home, ours, layer, guard, mapsEverybody }, options).catch(async (error: unknown) => {
        await removeLayer(layer).catch(() => {})
        throw error
      })
      const opened: Confined = {
        ...confined,
        get blocked() {
          return confined.blocked
        },
        async close() {
          open.delete(opened)
          await confined.close()
          await removeLayer(layer)
        },
      }
      open.add(opened)
      return opened
    },
    async closeAll(): Promise<void> {
      for (const opened of open) await opened.close()
      await guards.remove()
    },
  }
}

/** Each guard reuses what the guards before it have read, unless the paths now lead to other folders. */
function createGuards({ layers, isControl = () => false }: CopyParts, signed: SignedFiles) {
  let made: { readonly of: string; readonly begin: () => Promise<ControlGuard> } | null = null
  const keeper = createGuardKeeper(layers, signed)
  return {
    begin(folder: string, source: string): Promise<ControlGuard> {
      const of = `${folder}\0${source}`
      const signedAt = (path: string): ReadonlySet<string> => signed.at(join(folder, path))
      if (made?.of !== of)
        made = { of, begin: createControlGuards({ folder: source, seenAt: folder, layers, isControl, signedAt, keeper }) }
      return made.begin()
    },
    remove: keeper.remove,
  }
}

/**
 * Applies change sets. `forget` is called with a layer so that `cleanup` does not remove it, because the layer contains the user's files
 * while changes are applied.
 */
function createApplier(forget: (layer: Layer) => void) {
  const applying = new Set<Promise<unknown>>()
  /**
   * If steps could not be undone, the layer contains the files that were replaced, so it is kept for the next launch. A layer that cannot
   * be removed only takes space on the disk, and the next launch tries again.
   */
  const drop = async (outcome: ApplyOutcome | null, layer: Layer): Promise<void> => {
    if (outcome?.kind !== 'refused' || outcome.notUndone === undefined) await removeLayer(layer).catch(() => {})
  }
  const track = <T>(work: Promise<T>): Promise<T> => {
    applying.add(work)
    return work.finally(() => applying.delete(work))
  }
  const applyAndDrop = async (application: Application): Promise<ApplyOutcome> => {
    const { layer, changeSet } = application
    let outcome: ApplyOutcome | null = null
    try {
      outcome = await applyChanges(application)
      return outcome
    } finally {
      const dropped = track(drop(outcome, layer))
      // Removing thousands of replaced files takes as long as replacing them.
      if (outcome?.kind !== 'applied' || changeSet.changes.length < MANY) await dropped
    }
  }
  return {
    apply(application: Application): Promise<ApplyOutcome> {
      forget(application.layer)
      return track(applyAndDrop(application))
    },
    whenApplied: () => Promise.allSettled(applying),
  }
}

function withStop(changeSet: CopyChangeSet, reason: string | null): CopyChangeSet {
  return reason === null ? changeSet : { ...changeSet, obstacles: [{ kind: 'stopped', reason }, ...changeSet.obstacles] }
}

interface Ways {
  readonly apply: (application: Application) => Promise<ApplyOutcome>
  readonly drop: () => Promise<void>
}

const sourceOf = ({ folder, source = folder }: CopyParts): Promise<string> => realpath(source)

/** Removes the trees that were not moved to their place. */
async function release(layers: string, changeSet: CopyChangeSet): Promise<void> {
  for (const name of heldBy(changeSet)) if (name !== '') await removeLayer({ path: join(layers, name) }).catch(() => {})
}

interface Changed extends Pick<Application, 'layer' | 'folder' | 'changeSet'>, Pick<CopyParts, 'layers' | 'commands'> {
  readonly source: string
}

function endedCopy(ended: RunInCopy, { source, layers, commands, ...changed }: Changed, ways: Ways): EndedCopy {
  const { layer, changeSet, folder } = changed
  return {
    ...ended,
    changeSet,
    bytes(path) {
      const isFile = changeSet.changes.some((one) => one.path === path && one.kind !== 'deleted' && one.after.kind === 'file')
      if (!isFile) throw new EnvironmentFailure('ENOENT', `The command made no file ${path}.`)
      return readFile(join(layer.up, path))
    },
    apply: (only) =>
      ways.apply({
        layer,
        changeSet,
        folder: source,
        only: only ?? null,
        newBytes: fromLayer(layer),
        treePath: (path) => join(layer.up, path),
      }),
    keep: (store) => keepChangeSet({ changeSet, folder, source, layerUp: layer.up, layers, store }),
    gitChange: (store) =>
      gitChange(
        { changes: changeSet.changes, git: { before: join(source, '.git'), after: join(layer.up, '.git') } },
        { spawn: (argv, options = {}) => spawnProgram(commands.table, argv, options.workingDir ?? '/', options) },
        store,
      ),
    drop: ways.drop,
  }
}

/**
 * If another file system is mounted below the folder, returns an error that names it, because the system's error says only that the options
 * are wrong. Otherwise returns the same error.
 */
async function mountFailure(error: unknown, folder: string): Promise<unknown> {
  if (!(error instanceof EnvironmentFailure) || error.code !== 'ENOCOPY') return error
  const [first, ...more] = await mountsBelow(folder)
  return first === undefined ? error : new EnvironmentFailure('ENOCOPY', mountInside(first, more.length))
}

async function oursOutside(folder: string, { layers, hidden = [] }: CopyParts): Promise<readonly string[]> {
  const ours = await Promise.all([layers, ...hidden].map((path) => realpath(path).catch(() => path)))
  const inside = ours.find((path) => isBelow(folder, path))
  if (inside !== undefined) throw new EnvironmentFailure('ENOCOPY', `${DATA_INSIDE} ${folder}.`)
  return ours
}

/**
 * Tells whether copies can be made, and keeps the answer. It looks again if making a copy fails although the answer was yes, and after a
 * disk was full.
 */
function createSupport(parts: CopyParts) {
  const kept = createKeptSupport(parts.keptSupport, async () => ({ folder: await sourceOf(parts), layers: parts.layers }))
  let found: Promise<CopySupport> | undefined
  return {
    async find(run: CommandCopies['run']): Promise<CopySupport> {
      const support = await (found ??= findSupport(run, parts, kept))
      if (isForLackOfRoom(support)) found = undefined
      return support
    },
    doubt() {
      if (kept.contradict()) found = undefined
    },
  }
}

async function findSupport(run: CommandCopies['run'], parts: CopyParts, kept: KeptSupport): Promise<CopySupport> {
  if ((await kept.holds()) && (await isOutside(parts))) return { kind: 'present' }
  const found = await trySupport(run, parts)
  await kept.keep(found)
  return found
}

const isOutside = async (parts: CopyParts): Promise<boolean> =>
  oursOutside(await realpath(parts.folder), parts).then(
    () => true,
    () => false,
  )

async function trySupport(run: CommandCopies['run'], parts: CopyParts): Promise<CopySupport> {
  const missing = await missingPart()
  if (missing.kind === 'absent') return missing
  const failed = async (message: string): Promise<CopySupport> =>
    failedTrial(message, { folder: await sourceOf(parts), layers: await realpath(parts.layers).catch(() => parts.layers) })
  try {
    const trial = await run('true')
    await trial.drop()
    return trial.result.exitCode === 0 ? { kind: 'present' } : await failed(`“true” ended with exit code ${trial.result.exitCode}.`)
  } catch (error) {
    if (error instanceof EnvironmentFailure) return failed(error.message)
    throw error
  }
}
