import { homedir } from 'node:os'
import { cleanVariables } from '../../environment/clean-variables.ts'
import { type OwnEnd, type OwnRun, runOwnProgram } from '../../environment/own-programs/run-own-program.ts'

/** Default time limit in ms for a call of a container program or a cluster. */
const LIMIT_MS = 60_000
const MAX_BYTES = 16 * 1024 ** 2

/**
 * Runs the user's `docker`, `podman`, `kubectl` or `devcontainer` with the user's own variables, which may contain the address of the
 * engine.
 */
export function runTool(name: string, args: readonly string[], run: Partial<OwnRun> = {}): Promise<OwnEnd> {
  const { PATH: _, ...variables } = cleanVariables(process.env)
  return runOwnProgram(name, args, {
    cwd: homedir(),
    timeoutMs: LIMIT_MS,
    maxBytes: MAX_BYTES,
    ...run,
    variables: { ...variables, ...run.variables },
  })
}

/** The last lines of a program's standard error, or of its output if that is empty, joined into one line. */
export const lastWords = ({ stderr, stdout }: Pick<OwnEnd, 'stderr' | 'stdout'>): string =>
  (stderr.trim() || stdout.toString('utf8').trim()).split('\n').slice(-4).join(' ').trim()
