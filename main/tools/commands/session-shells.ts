import { isInside } from '../../is-inside.ts'
import type { CommandEffect } from '../../../shared/session/effects.ts'
import type { BashState, CopiedBash } from '../../agent/ports/command-copies.ts'
import type { ExecResult, ExecutionEnvironment, LastingShell, ShellExecResult } from '../../agent/ports/execution-environment.ts'
import type { RunContext } from '../../agent/ports/tool.ts'
import type { Listeners } from './command-run.ts'

/** A command that runs in the background of a session. */
export interface BackgroundRun {
  readonly id: string
  readonly command: string
  readonly pid: number
  /** Null while the command runs. */
  ended(): ExecResult | null
  /** The output since the last call, as plain lines. `dropped` is the number of characters that were not kept. */
  unread(): { readonly text: string; readonly dropped: number }
  /** Resolves when there is unread output, the command has ended, or the signal aborts. */
  news(signal: AbortSignal): Promise<void>
  /** Stops the command and everything that it started, and waits until it has ended. */
  stop(): Promise<void>
}

/** The processes that a session keeps running between calls: one bash process, and commands in the background. */
export interface Shells {
  /** The bash process for commands that run in copies. */
  readonly copied: CopiedBash
  /**
   * The folder in which the next `bash` call will run: that of the running shell (or of the last command if it ran in a copy), otherwise
   * that of the last shell if it is inside the session's folder. Null means the session's folder.
   */
  folder(): string | null
  /**
   * Returns the running shell, or starts one. The shell gets nothing that a command set in a copy, because the user was not asked about
   * that command, and a function or alias from it would change the meaning of later commands. `isFresh` means that an earlier shell has
   * ended. `isAfterCopy` means that the last command ran in a copy. `envVars` overrides all other variables of a shell that is started.
   */
  open(
    env: ExecutionEnvironment,
    terminal: { readonly columns: number; readonly rows: number } | null,
    envVars: Readonly<Record<string, string>>,
  ): Promise<OpenShell>
  /** Ends the shell. The next shell starts in the session's folder. Returns false if there was nothing to end. */
  endShell(): Promise<boolean>
  /** Adds a command and gives it an id. If there are more than 50 commands, the oldest one that has finished is forgotten. */
  add(run: Omit<BackgroundRun, 'id'>): BackgroundRun
  /** The command with this id; without an id, the newest command. Null if there is no such command. */
  find(id?: string): BackgroundRun | null
  all(): readonly BackgroundRun[]
  /** Whether the shell or a background command is running. */
  isInUse(): boolean
  /** Whether a background command is running. */
  hasBackground(): boolean
  /** Stops everything and waits until it has ended. */
  close(): Promise<void>
}

interface OpenShell {
  readonly shell: LastingShell
  readonly isFresh: boolean
  readonly isAfterCopy: boolean
}

const KEPT_RUNS = 50

export function createShells(): Shells {
  const runs = new Map<string, BackgroundRun>()
  let opening: Promise<LastingShell> | null = null
  let shell: LastingShell | null = null
  let root = ''
  let hasOpened = false
  let count = 0
  let copied: BashState | null = null
  /** Whether the last command ran in a copy. */
  let isCopyLast = false
  const hasBackground = (): boolean => [...runs.values()].some((run) => run.ended() === null)
  const endShell = async (): Promise<boolean> => {
    const hadState = isCopyLast
    copied = null
    isCopyLast = false
    const open = (await opening?.catch(() => null)) ?? shell
    const isAlive = open?.isAlive() === true
    if (isAlive) await open.close()
    shell = null
    return isAlive || hadState
  }
  const folder = (): string | null => {
    if (isCopyLast && copied) return copied.folder
    const last = shell?.workingDirectory() ?? null
    return last === null || shell?.isAlive() || isInside(root, last) ? last : null
  }
  const opened = async (...[env, terminal, envVars]: Parameters<Shells['open']>): Promise<LastingShell> => {
    root = env.workingDirectory()
    const last = folder()
    const isThere = last !== null && (await env.stat(last))?.kind === 'folder'
    shell = await env.openShell({ envVars, ...(isThere && { workingDir: last }), ...(terminal && { terminal }) })
    return shell
  }
  return {
    copied: {
      state: () => copied,
      adopt(state) {
        copied = state
        isCopyLast = true
      },
    },
    folder,
    async open(...how) {
      const isAfterCopy = isCopyLast
      if (shell?.isAlive()) {
        isCopyLast = false
        return { shell, isFresh: false, isAfterCopy }
      }
      const isFresh = hasOpened
      hasOpened = true
      opening ??= opened(...how).finally(() => (opening = null))
      const own = await opening
      isCopyLast = false
      return { shell: own, isFresh, isAfterCopy }
    },
    endShell,
    add(run) {
      const own = { ...run, id: `bg_${++count}` }
      runs.set(own.id, own)
      const oldest = [...runs.values()].find((each) => each.ended() !== null)
      if (runs.size > KEPT_RUNS && oldest) runs.delete(oldest.id)
      return own
    },
    find: (id) => (id === undefined ? [...runs.values()].at(-1) : runs.get(id)) ?? null,
    all: () => [...runs.values()],
    isInUse: () => opening !== null || shell?.isAlive() === true || hasBackground(),
    hasBackground,
    async close() {
      await Promise.all([endShell(), ...[...runs.values()].map((run) => run.stop())])
    },
  }
}

export interface ShellRunResult extends ShellExecResult {
  /** Whether an earlier shell had ended, so that its variables and functions are gone. */
  readonly isFresh: boolean
  /** Whether the last command ran in a copy, so that variables and functions that it set do not exist here. */
  readonly isAfterCopy: boolean
  /** The folder of the shell, or the folder in which the next shell will start. */
  readonly folder: string
}

/** The shell has left the folder it was in when the call was prepared. */
class ShellMoved extends Error {
  readonly code = 'ECHANGED'
}

/**
 * Runs a command in the session's bash. `changesFolder` means that the shell first changes to the effect's folder. Rejects with a coded
 * failure if the command was not run.
 */
export async function runInShell(
  effect: CommandEffect,
  run: RunContext,
  shells: Shells,
  listeners: Listeners,
  changesFolder = false,
): Promise<ShellRunResult> {
  const { shell, isFresh, isAfterCopy } = await shells.open(run.env, run.terminal, effect.env)
  // The real path is needed, because it is compared with the effect's folder, which is a real path.
  const presentFolder = (): Promise<string> => run.env.realpath(shell.workingDirectory())
  if ((changesFolder || isAfterCopy) && (await presentFolder()) !== effect.cwd) {
    const gone = await shell.run(`builtin cd -- '${effect.cwd.replaceAll("'", String.raw`'\''`)}'`)
    // If the shell cannot change to the folder, starting a separate command there rejects with the reason.
    if (gone.exitCode !== 0) await run.env.execCommand(':', { workingDir: effect.cwd, signal: run.signal })
  }
  const present = await presentFolder()
  if (present !== effect.cwd) throw new ShellMoved(`the bash process is now in ${present}, not in ${effect.cwd}. Make the call again.`)
  const result = await shell.run(effect.command, {
    ...listeners,
    timeoutMs: effect.timeoutMs,
    ...(run.terminal && { onTerminal: run.terminal.onOpen }),
  })
  return { ...result, isFresh, isAfterCopy, folder: shells.folder() ?? run.env.workingDirectory() }
}

/** What the model must know about the shell in addition to the command's result; null if there is nothing. */
export function shellNote({ isFresh, isAfterCopy, shellEnded, folder }: ShellRunResult): string | null {
  if (shellEnded) {
    const next = `The next call starts a new process in ${folder}.`
    return `The bash process ended with this command; its variables, functions and background jobs are gone. ${next}`
  }
  if (isAfterCopy) return 'This command ran outside the copies of the project: variables and functions set in a copy are not set here.'
  return isFresh
    ? 'This command ran in a new bash process, because the previous one had ended; its variables and functions are gone.'
    : null
}
