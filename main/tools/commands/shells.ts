import type { ExecutionEnvironment, LastingShell } from '../../agent/ports/execution-environment.ts'
import type { BackgroundRun } from './background-run.ts'

/** What a session has running beyond its calls: one bash that lives on, and commands in the background. */
export interface Shells {
  /** Where the next `bash` runs: where the shell stands, or, inside the session's own folder, the last one ended. Null: in that folder. */
  folder(): string | null
  /** The shell, opened when there is none; `isFresh`: an earlier one is gone. */
  open(env: ExecutionEnvironment, terminal: { readonly columns: number; readonly rows: number } | null): Promise<OpenShell>
  /** The next one begins in the session's own folder again: the way out of a folder in which nothing may be run. False: none ran. */
  endShell(): Promise<boolean>
  /** Gives a run its id. The ended ones of the newest fifty stay known. */
  add(run: Omit<BackgroundRun, 'id'>): BackgroundRun
  /** Null: there is no such run. Without an id: the newest. */
  find(id?: string): BackgroundRun | null
  all(): readonly BackgroundRun[]
  /** Something of it lives: the shell, or a command in the background. What has ended holds nothing. */
  isInUse(): boolean
  /** Ends everything, and waits for it. */
  close(): Promise<void>
}

export interface OpenShell {
  readonly shell: LastingShell
  readonly isFresh: boolean
}

const KEPT_RUNS = 50

export function createShells(): Shells {
  const runs = new Map<string, BackgroundRun>()
  let opening: Promise<LastingShell> | null = null
  let shell: LastingShell | null = null
  let root = ''
  let hasOpened = false
  let count = 0
  const endShell = async (): Promise<boolean> => {
    const open = (await opening?.catch(() => null)) ?? shell
    const isAlive = open?.isAlive() === true
    if (isAlive) await open.close()
    shell = null
    return isAlive
  }
  const folder = (): string | null => {
    const last = shell?.workingDirectory() ?? null
    return last === null || shell?.isAlive() || last === root || last.startsWith(`${root}/`) ? last : null
  }
  const opened = async (env: ExecutionEnvironment, terminal: Parameters<Shells['open']>[1]): Promise<LastingShell> => {
    root = env.workingDirectory()
    const last = folder()
    const isThere = last !== null && (await env.stat(last))?.kind === 'folder'
    shell = await env.openShell({ ...(isThere && { workingDir: last }), ...(terminal && { terminal }) })
    return shell
  }
  return {
    folder,
    async open(env, terminal) {
      if (shell?.isAlive()) return { shell, isFresh: false }
      const isFresh = hasOpened
      hasOpened = true
      opening ??= opened(env, terminal).finally(() => (opening = null))
      return { shell: await opening, isFresh }
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
    isInUse: () => opening !== null || shell?.isAlive() === true || [...runs.values()].some((run) => run.ended() === null),
    async close() {
      await Promise.all([endShell(), ...[...runs.values()].map((run) => run.stop())])
    },
  }
}
