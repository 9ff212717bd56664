import type { ExecutionEnvironment, LastingShell } from '../agent/ports/execution-environment.ts'
import { notCompared } from '../host-process/near/remote-comparison.ts'
import type { FolderComparison } from '../agent/ports/folder-comparison.ts'
import type { HostProcess } from '../host-process/near/start-host-process.ts'

/** Time in ms after which an unused host process is ended. */
const IDLE_MS = 5 * 60_000
const CHECK_MS = 30_000

export interface FarHostParts {
  /** The folder at the place. */
  readonly folder: string
  readonly platform: string
  readonly osVersion: string
  /** Starts a host process for the folder. */
  start(): Promise<HostProcess>
}

/** A folder at another place, served by a host process there. */
export interface FarHost {
  readonly environment: ExecutionEnvironment
  /** Finds what commands change in the folder. */
  readonly comparison: FolderComparison
  /** Ends the host process and every program it runs. */
  close(): Promise<void>
}

/**
 * Serves a folder at another place. The host process starts with the first call, starts again after its connection was lost, and ends after
 * five minutes without use.
 */
export function createFarHost({ folder, platform, osVersion, start }: FarHostParts): FarHost {
  let running: Promise<HostProcess> | null = null
  let open = 0
  let usedAt = performance.now()
  const shells = new Set<LastingShell>()
  const begin = (): Promise<HostProcess> => {
    const begun = start()
    running = begun
    const forget = (): void => {
      if (running === begun) running = null
    }
    begun.then(({ ended }) => ended.then(forget), forget)
    return begun
  }
  const end = async (): Promise<void> => {
    const last = running
    running = null
    await (await last?.catch(() => null))?.close()
  }
  const isIdle = (): boolean => open === 0 && ![...shells].some((shell) => shell.isAlive()) && performance.now() - usedAt > IDLE_MS
  const timer = setInterval(() => void (running !== null && isIdle() && end()), CHECK_MS).unref()
  const use = async <T>(work: (env: ExecutionEnvironment) => Promise<T>): Promise<T> => {
    open += 1
    try {
      return await work((await (running ?? begin())).environment)
    } finally {
      open -= 1
      usedAt = performance.now()
    }
  }
  const comparison: FolderComparison = {
    // Preparing saves time only if the host process is already running.
    prepare: () => void running?.then((host) => host.comparison.prepare()).catch(() => {}),
    async begin() {
      try {
        const { comparison } = await (running ?? begin())
        usedAt = performance.now()
        return await comparison.begin()
      } catch (error) {
        return { end: () => Promise.resolve(notCompared(error)), drop: () => {} }
      }
    },
    dispose() {},
  }
  return {
    comparison,
    environment: {
      readFile: (path, offset, limit) => use((env) => env.readFile(path, offset, limit)),
      writeFile: (path, content) => use((env) => env.writeFile(path, content)),
      deleteFile: (path) => use((env) => env.deleteFile(path)),
      fileExists: (path) => use((env) => env.fileExists(path)),
      listDirectory: (path, depth, options) => use((env) => env.listDirectory(path, depth, options)),
      execCommand: (command, options) => use((env) => env.execCommand(command, options)),
      async openShell(options) {
        const shell = await use((env) => env.openShell(options))
        for (const one of shells) if (!one.isAlive()) shells.delete(one)
        shells.add(shell)
        return shell
      },
      grep: (pattern, path, options) => use((env) => env.grep(pattern, path, options)),
      glob: (pattern, path, options) => use((env) => env.glob(pattern, path, options)),
      initialize: () => use((env) => env.initialize()),
      cleanup: async () => {
        if (running !== null) await use((env) => env.cleanup())
      },
      workingDirectory: () => folder,
      platform: () => platform,
      osVersion: () => osVersion,
      readBytes: (path, options) => use((env) => env.readBytes(path, options)),
      writeBytes: (path, bytes, options) => use((env) => env.writeBytes(path, bytes, options)),
      stat: (path) => use((env) => env.stat(path)),
      lstat: (path) => use((env) => env.lstat(path)),
      realpath: (path) => use((env) => env.realpath(path)),
      readlink: (path) => use((env) => env.readlink(path)),
      symlink: (target, path) => use((env) => env.symlink(target, path)),
      rename: (from, to) => use((env) => env.rename(from, to)),
      setMode: (path, mode) => use((env) => env.setMode(path, mode)),
      createFolder: (path, mode) => use((env) => env.createFolder(path, mode)),
      removeFolder: (path) => use((env) => env.removeFolder(path)),
      spawn: (argv, options) => use((env) => env.spawn(argv, options)),
      async open(argv, options) {
        const program = await use((env) => env.open(argv, options))
        open += 1
        void program.ended.then(() => (open -= 1))
        return program
      },
    },
    async close() {
      clearInterval(timer)
      await end()
    },
  }
}
