import type { CommandEffect } from '../../../shared/session/effects.ts'
import type { ShellExecResult } from '../../agent/ports/execution-environment.ts'
import type { RunContext } from '../../agent/ports/tool.ts'
import type { Listeners } from './command-run.ts'
import type { Shells } from './shells.ts'

export interface ShellRunResult extends ShellExecResult {
  /** An earlier shell was gone, so what it held was not there. */
  readonly isFresh: boolean
  /** Where the shell stands, or the next one will begin. */
  readonly folder: string
}

/** The words of the failure when the shell does not stand any more where it stood when the call was prepared. */
class ShellMoved extends Error {
  readonly code = 'ECHANGED'
}

/** Carries a command out in the session's bash; `goes`: which goes to its folder first. Rejects with a coded failure when it was not run. */
export async function runInShell(
  effect: CommandEffect,
  run: RunContext,
  shells: Shells,
  listeners: Listeners,
  goes = false,
): Promise<ShellRunResult> {
  const { shell, isFresh } = await shells.open(run.env, run.terminal)
  // By its real path, as the effect has it.
  const standing = (): Promise<string> => run.env.realpath(shell.workingDirectory())
  if (goes && (await standing()) !== effect.cwd) {
    const gone = await shell.run(`builtin cd -- '${effect.cwd.replaceAll("'", String.raw`'\''`)}'`)
    // A command of its own rejects with the reason for which none can run there.
    if (gone.exitCode !== 0) await run.env.execCommand(':', { workingDir: effect.cwd, signal: run.signal })
  }
  const stands = await standing()
  if (stands !== effect.cwd) throw new ShellMoved(`the bash process is now in ${stands}, not in ${effect.cwd}. Make the call again.`)
  const result = await shell.run(effect.command, {
    ...listeners,
    timeoutMs: effect.timeoutMs,
    ...(run.terminal && { onTerminal: run.terminal.onOpen }),
  })
  return { ...result, isFresh, folder: shells.folder() ?? run.env.workingDirectory() }
}

/** What the model must know of the shell beside the command's own result. */
export function shellNote({ isFresh, shellEnded, folder }: ShellRunResult): string | null {
  if (shellEnded) {
    const next = `The next call starts a new one in ${folder}.`
    return `The bash process ended with this command; its variables, functions and background jobs are gone. ${next}`
  }
  return isFresh ? 'This ran in a new bash process, because the previous one had ended; its variables and functions are gone.' : null
}
