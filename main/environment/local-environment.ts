import { release } from 'node:os'
import { resolve } from 'node:path'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import type { EnvVarPolicy, ExecutionEnvironment, LastingShell } from '../agent/ports/execution-environment.ts'
import type { Redactor } from '../agent/ports/redactor.ts'
import { type CrashNotes, NO_NOTES } from './crash-notes.ts'
import { codeOf, EnvironmentFailure, explained } from './environment-failure.ts'
import { createFileOperations } from './files/file-operations.ts'
import { absolutePath } from './files/paths.ts'
import { loadNodePtyHost } from './process/node-pty-host.ts'
import { dialPort } from './ports/dial-port.ts'
import { listeningPorts } from './ports/listening-ports.ts'
import { createProcessTable, type OwnedProcess } from './process/process-table.ts'
import type { PtyHost } from './process/started-command.ts'
import { type CommandParts, runCommand } from './process/run-command.ts'
import { openProgram } from './process/open-program.ts'
import { spawnProgram } from './process/spawn-program.ts'
import { createRunningLimits } from './process/time-limit.ts'
import { mustBeFolder } from './process/start-failure.ts'
import { type SameRoot, createSameRoot } from './check-same-root.ts'
import { openLastingShell } from './shell/lasting-shell.ts'
import { globFiles } from './search/glob/glob-files.ts'
import { grepFiles } from './search/grep-files.ts'
import { NOTHING_HIDDEN } from './nothing-hidden.ts'

export interface LocalOptions {
  /** Default: `inherit_core`. */
  readonly envVarPolicy?: EnvVarPolicy
  /**
   * Variables that are passed on although they look like secrets. `*` stands for any characters. A function is called for each command.
   */
  readonly allowVariables?: readonly string[] | (() => readonly string[])
  /** Applied to all output of commands. Default: nothing is hidden. */
  readonly redactor?: Redactor
  /** The shell to use instead of bash. */
  readonly shell?: string
  /** Writes notes about what a crash would leave behind. */
  readonly notes?: CrashNotes
  /** A search is stopped after this many ms. */
  readonly searchTimeoutMs?: number
  /**
   * The path of ripgrep. Null for Countersign's own, slower search. Default: the bundled ripgrep, otherwise the system's, otherwise
   * Countersign's own search.
   */
  readonly ripgrep?: string | null
  /** Whether this process runs in a sandbox. If so, the programs that it opens are looked for in the user's unchanged PATH. Default: false. */
  readonly isConfined?: boolean
  /**
   * Called when the first pty is needed. Resolves to null if ptys are not available. In that case, commands that ask for a terminal run on
   * pipes.
   */
  readonly ptyHost?: () => Promise<PtyHost | null>
}

export interface LocalExecutionEnvironment extends ExecutionEnvironment {
  /** Commands that are running, and finished commands that left processes running. */
  running(): readonly OwnedProcess[]
  /** Sets whether commands wait for an answer about a host. As long as they do, no time limit runs. */
  holdLimits(waits: boolean): void
}

/**
 * The environment of this machine: the folder `workingDir` with its files, commands and searches. Creating it accesses nothing on the
 * machine.
 */
export function createLocalExecutionEnvironment(workingDir: string, options: LocalOptions = {}): LocalExecutionEnvironment {
  const root = resolve(workingDir)
  const notes = options.notes ?? NO_NOTES
  const table = createProcessTable(notes)
  const sameRoot = createSameRoot(root)
  const limits = createRunningLimits()
  let ptyHost: Promise<PtyHost | null> | undefined
  const commands: CommandParts = {
    table,
    limits,
    envPolicy: { policy: options.envVarPolicy ?? 'inherit_core', allow: options.allowVariables ?? [] },
    shell: options.shell,
    isConfined: options.isConfined ?? false,
    redactor: options.redactor ?? NOTHING_HIDDEN,
    ptyHost: () => (ptyHost ??= (options.ptyHost ?? loadNodePtyHost)()),
  }
  const folderFor = (path: string | undefined): string => (path === undefined ? root : absolutePath(root, path))
  const search = { root, table, ripgrep: options.ripgrep, timeoutMs: options.searchTimeoutMs }
  return {
    ...createFileOperations(root, notes, sameRoot),
    async execCommand(command, exec = {}) {
      await sameRoot.check()
      return runCommand(commands, command, folderFor(exec.workingDir), exec)
    },
    async openShell(shell = {}) {
      await sameRoot.check()
      return inSameRoot(await openLastingShell(commands, folderFor(shell.workingDir), shell), sameRoot)
    },
    async spawn(argv, spawn = {}) {
      await sameRoot.check()
      return spawnProgram(table, argv, folderFor(spawn.workingDir), spawn)
    },
    async open(argv, open = {}) {
      await sameRoot.check()
      return openProgram(commands, argv, folderFor(open.workingDir), open)
    },
    grep: (pattern, path, grep = {}) => searched(() => grepFiles(search, pattern, absolutePath(root, path), grep), sameRoot),
    glob: (pattern, path, glob = {}) => searched(() => globFiles(pattern, absolutePath(root, path), { ...glob, root }), sameRoot),
    async initialize() {
      await mustBeUsable(root)
      await sameRoot.check()
    },
    ports: { listening: async () => listeningPorts(await table.pids()), dial: dialPort },
    cleanup: () => table.endAll(),
    workingDirectory: () => root,
    platform: () => process.platform,
    osVersion: () => release(),
    running: () => table.running(),
    holdLimits: limits.hold,
  }
}

/** Runs a search. If it fails because the project folder is gone, the error says that this folder is gone. */
async function searched<T>(search: () => Promise<T>, sameRoot: SameRoot): Promise<T> {
  try {
    return await search()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') await sameRoot.check()
    throw error
  }
}

/**
 * Checks the root before each command of a persistent shell. Without this check, the shell would remain in a deleted folder, or work in
 * another folder that took its path.
 */
function inSameRoot(shell: LastingShell, sameRoot: SameRoot): LastingShell {
  return {
    run: async (command, options) => {
      await sameRoot.check()
      return shell.run(command, options)
    },
    workingDirectory: () => shell.workingDirectory(),
    isAlive: () => shell.isAlive(),
    close: () => shell.close(),
    ended: shell.ended,
  }
}

async function mustBeUsable(root: string): Promise<void> {
  try {
    await mustBeFolder(root)
    await access(root, constants.R_OK | constants.X_OK)
  } catch (error) {
    throw error instanceof EnvironmentFailure ? error : explained(error, 'open', root)
  }
}
