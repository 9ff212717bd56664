import { open, readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { BashState, CopyOptions } from '../../agent/ports/command-copies.ts'
import type { ExecResult } from '../../agent/ports/execution-environment.ts'
import { EnvironmentFailure } from '../environment-failure.ts'
import { launchEnvironment } from '../launch-environment.ts'
import { ownProgram } from '../own-programs/own-programs.ts'
import { isOver } from '../process/find-processes.ts'
import { type CommandParts, runCommand } from '../process/run-command.ts'
import type { TimeLimit } from '../process/time-limit.ts'
import { prepareState, stateAfter } from './start/bash-state.ts'
import { type DeniedPlaces, deniedPlaces } from './start/denied-places.ts'
import { fillLayer } from './start/fill-layer.ts'
import { openHostProxy } from './start/host-proxy.ts'
import { createMountHold } from './start/hold-mounts.ts'
import { openLocalPorts } from './start/local-ports.ts'
import { NOT_STARTED_EXIT, prepareLaunch } from './start/launch.ts'
import { type Layer, linkLowers, refuseHardLinks } from './overlay-layer.ts'
import { toolPath, viewOf } from './start/sandbox-view.ts'
import { watchSize } from './start/watch-layer-size.ts'
import { wayToInstall } from './copy-support.ts'
import { notesAboutCopy } from './notes-about-copy.ts'
import { type CopyFailureReason, copyFailureReason } from './copy-failure-reason.ts'

/** How often to check whether the last process of a copy has ended, and how long to keep checking, in ms. */
const LOOK_MS = 1
const END_MS = 10_000

export interface RunParts {
  readonly commands: CommandParts
  /** The real path of the project folder. */
  readonly folder: string
  /** Real path of the folder that commands see at `folder`. */
  readonly source: string
  /** Folders that are shown over `source`, the uppermost first. */
  readonly above: readonly string[]
  /** Real path. Null if there is none. */
  readonly home: string | null
  /** Folders of Countersign that no command may see. */
  readonly ours: readonly string[]
  readonly maxBytes: number
  /** Whether the user is root and all users are mapped, so that commands can change files of every user. */
  readonly mapsEverybody: boolean
  /** As in `ViewParts`. */
  readonly temporary?: string | undefined
}

export interface RunInCopy extends CopyFailureReason {
  readonly result: ExecResult
  readonly blocked: readonly { readonly host: string; readonly port: number }[]
  readonly stopped: string | null
  readonly hidden: readonly string[]
  readonly notes: readonly string[]
  readonly stateAfter: BashState | null
}

/** Runs a command in the layer and waits for its end. Rejects with code `ENOCOPY` if the command could not be started in the layer. */
export async function runInCopy(parts: RunParts, layer: Layer, command: string, options: CopyOptions): Promise<RunInCopy> {
  // A filled layer would hide the folders in `above`.
  if (options.isFilled && parts.above.length === 0) await fillLayer(layer)
  if (options.hasHardLinks === false) await refuseHardLinks(layer)
  try {
    return await runOnce(parts, layer, command, options)
  } catch (error) {
    if (parts.home === null || (await read(layer, 'failed-home')) === '') throw error
    // A home folder with mounts inside, as in containers, cannot be covered by an overlay. In that case, the complete home folder is
    // hidden.
    return runOnce({ ...parts, home: null }, layer, command, options)
  }
}

const deniedIn = ({ folder, source, home }: RunParts, layer: Layer, { denied: patterns = [] }: CopyOptions): Promise<DeniedPlaces> =>
  deniedPlaces({ patterns, folder, source, home, cover: layer.cover })

async function runOnce(parts: RunParts, layer: Layer, command: string, options: CopyOptions): Promise<RunInCopy> {
  const cwd = options.workingDir ?? parts.folder
  const asksHosts = (options.hosts?.length ?? 0) > 0 || options.onHost !== undefined
  const wantsHosts = asksHosts && canForward()
  const { arguments: view, hidden } = await viewOf({ ...parts, path: toolPath(), empty: layer.empty })
  const denied = await deniedIn(parts, layer, options)
  const pause = createPause()
  const proxy = wantsHosts ? await openHostProxy(layer.path, { ...options, ...pausing(options, pause) }) : null
  const ports = await openLocalPorts(layer.path, canForward() ? (options.localPorts ?? []) : [])
  const size = watchSize({
    layer: layer.up,
    folder: parts.source,
    maxBytes: parts.maxBytes,
    beside: parts.temporary,
    home: join(layer.path, 'scratch', 'up'),
    file: join(layer.path, 'left'),
  })
  const mounts = createMountHold()
  try {
    const inTerminal = options.terminal !== undefined && (await parts.commands.ptyHost()) !== null
    const state = options.state ? await prepareState(layer, options.state.before, options.workingDir) : null
    const launch = {
      layer,
      durable: null,
      lowers: await linkLowers(layer, parts.above),
      folder: parts.folder,
      mapsEverybody: parts.mapsEverybody,
      home: parts.home,
      view,
      denied: denied.arguments,
      proxy: proxy?.socket ?? null,
      ports: ports.sockets,
      inTerminal,
      state,
    }
    const wrap = await prepareLaunch(launch, cwd)
    const signal = options.signal ? AbortSignal.any([options.signal, size.signal]) : size.signal
    const result = await runCommand({ ...parts.commands, wrap, onLimit: pause.begin }, command, cwd, {
      ...options,
      signal,
      onStart: mounts.begin,
    })
    await untilAllEnded(layer)
    if (!result.timedOut && !result.aborted && result.exitCode !== null && !(await hasBegun(layer)))
      throw await whyNotStarted(layer, result)
    const blocked = proxy?.blocked ?? []
    const unfit = await copyFailureReason({
      result,
      blocked,
      localPorts: options.localPorts ?? [],
      wayToForward: canForward() ? null : wayToInstall(),
      isFilled: options.isFilled === true,
      hasHardLinks: options.hasHardLinks !== false,
    })
    const notes = notesAboutCopy({
      output: `${result.stdout.slice(-20_000)}\n${result.stderr.slice(-20_000)}`,
      folder: parts.folder,
      hidden,
      denied: denied.paths,
      homeKept: await countIn(layer, 'home-kept'),
      homeLost: await countIn(layer, 'home-lost'),
      leftRunning: await countIn(layer, 'left'),
    })
    const stopped = size.signal.aborted ? String(size.signal.reason) : null
    return {
      result: stopped === null ? result : { ...result, aborted: false },
      ...unfit,
      blocked,
      stopped,
      hidden,
      notes,
      stateAfter: await stateAfter(layer),
    }
  } finally {
    mounts.release()
    size.stop()
    await proxy?.close()
    await ports.close()
  }
}

/** Without socat, nothing inside the copy could reach the proxy or a port of this machine. */
const canForward = (): boolean => ownProgram('socat') !== null

/** The command's time limit is paused while it waits for an answer about a host. */
function pausing({ onHost }: CopyOptions, { hold }: Pause): Pick<CopyOptions, 'onHost'> {
  if (!onHost) return {}
  return {
    async onHost(asked) {
      hold(1)
      try {
        return await onHost(asked)
      } finally {
        hold(-1)
      }
    },
  }
}

interface Pause {
  begin(limit: Pick<TimeLimit, 'hold'>): void
  hold(by: 1 | -1): void
}

/** Pauses the time limit of a command, even before the command starts. Any number of simultaneous waits count as one pause. */
function createPause(): Pause {
  let limit: Pick<TimeLimit, 'hold'> | null = null
  let waits = 0
  return {
    begin: (begun) => void (limit = begun),
    hold(by) {
      waits += by
      limit?.hold(waits > 0, 'host')
    },
  }
}

/** The real path of the user's home folder. Null if HOME is not set, or is not a folder. */
export async function homeOf(): Promise<string | null> {
  const home = launchEnvironment()['HOME']
  if (!home?.startsWith('/') || home === '/') return null
  return realpath(home).catch(() => null)
}

/**
 * bubblewrap may exit a moment before the first process inside. When that process ends, the kernel ends all others. Until then, one of
 * them could still write into the layer.
 */
export async function untilAllEnded(layer: Pick<Layer, 'path'>): Promise<void> {
  const [, pid] = /"child-pid": (\d+)/.exec(await read(layer, 'status')) ?? []
  if (pid !== undefined) await untilOver(Number(pid), null)
}

/**
 * Waits until the first process inside has ended. `startTime`: see `isOver`. Rejects with `ENOCOPY` if it does not end.
 */
export async function untilOver(pid: number, startTime: string | null): Promise<void> {
  for (const until = performance.now() + END_MS; performance.now() < until; await delay(LOOK_MS)) if (isOver(pid, startTime)) return
  throw new EnvironmentFailure('ENOCOPY', 'The processes of the command could not be stopped, so the command’s changes are not known.')
}

/** bubblewrap writes how the command ended only if the command has begun. */
async function hasBegun(layer: Layer): Promise<boolean> {
  return (await read(layer, 'status')).includes('"exit-code"')
}

async function whyNotStarted(layer: Layer, { exitCode, stderr, stdout }: ExecResult): Promise<EnvironmentFailure> {
  const own = ((await read(layer, 'failed-folder')) + (await read(layer, 'failed-home'))).trim()
  const reason = exitCode === NOT_STARTED_EXIT && own !== '' ? own : (stderr || stdout).trim()
  return new EnvironmentFailure('ENOCOPY', `The command could not be started in a copy of the folder: ${reason}`)
}

/**
 * Returns the number in this file of the layer, or 0 if it contains no number. Reads only a few bytes, because the command may have written
 * anything to the file, of any size.
 */
async function countIn(layer: Layer, name: string): Promise<number> {
  const file = await open(join(layer.path, name)).catch(() => null)
  if (file === null) return 0
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(10), 0, 10, 0)
    const text = buffer.toString('latin1', 0, bytesRead)
    return /^\d{1,6}\s*$/u.test(text) ? Number(text) : 0
  } finally {
    await file.close()
  }
}

const read = ({ path }: Pick<Layer, 'path'>, name: string): Promise<string> => readFile(join(path, name), 'utf8').catch(() => '')
