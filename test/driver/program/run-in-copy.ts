import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { z } from 'zod'
import type { CommandCopies, CopyChange, CopyOptions, EndedCopy } from '../../../main/agent/ports/command-copies.ts'
import { createLocalCommandCopies } from '../../../main/environment/copy/local-command-copies.ts'
import { recoverCopies } from '../../../main/environment/copy/apply-journal.ts'
import { createLocalExecutionEnvironment } from '../../../main/environment/local-environment.ts'

export const runInCopyArguments = z.object({
  command: z.string().min(1),
  files: z.record(z.string(), z.string()).optional(),
  hosts: z.array(z.string()).optional(),
  timeout_ms: z.number().positive().optional(),
  apply: z.boolean().optional(),
})

/** The folder for copies while an operation runs. It is outside the project folder, but on most machines on the same disk. */
const LAYERS = join(homedir(), '.cache', 'countersign', 'copies')

/** Puts the files in the folder, runs the command in a copy of it, and returns what would have changed. */
export async function runInCopy(cwd: string, args: z.infer<typeof runInCopyArguments>, signal: AbortSignal) {
  await plant(cwd, args.files ?? {})
  await recoverCopies(LAYERS)
  const copies = createLocalCommandCopies({ folder: cwd, layers: LAYERS })
  try {
    const support = await copies.support()
    if (support.kind === 'absent') throw new Error(`${support.reason} ${support.wayOut}`)
    const { command, hosts, timeout_ms: timeoutMs } = args
    // Nobody can be asked about a host, so it is refused and reported.
    const onHost = (): Promise<boolean> => Promise.resolve(false)
    const options = { signal, onHost, ...(hosts && { hosts }), ...(timeoutMs !== undefined && { timeoutMs }) }
    const ended = await runUntilFit(copies, command, options)
    if (ended.result.timedOut) {
      await ended.drop()
      throw new Error(`The time limit of ${timeoutMs} ms ended the command, so nothing was applied. It printed: ${printedBy(ended)}`)
    }
    const shown = shownOf(ended)
    const applied = args.apply === true ? await ended.apply() : null
    if (applied === null) await ended.drop()
    return { ...shown, ...(applied && { applied }) }
  } finally {
    await copies.cleanup()
  }
}

/** Tries again in the kind of copy that the command turns out to need, as sessions do. */
async function runUntilFit(copies: CommandCopies, command: string, options: CopyOptions): Promise<EndedCopy> {
  const ended = await copies.run(command, options)
  const more = moreFor(ended)
  if (more === null) return ended
  await ended.drop()
  return runUntilFit(copies, command, { ...options, ...more })
}

function moreFor({ secondTry }: EndedCopy): CopyOptions | null {
  if (secondTry?.kind === 'filled') return { isFilled: true }
  if (secondTry?.kind === 'without-hard-links') return { hasHardLinks: false }
  // Nobody can be asked about a port of this machine.
  return null
}

const printedBy = ({ result }: EndedCopy): string => (result.stdout + result.stderr).slice(-2000)

async function plant(cwd: string, files: Readonly<Record<string, string>>): Promise<void> {
  const environment = createLocalExecutionEnvironment(cwd)
  for (const [path, content] of Object.entries(files)) {
    if (isAbsolute(path) || path.split('/').includes('..')) throw new Error(`files: ${path} is not in the folder.`)
    await environment.writeBytes(join(cwd, path), Buffer.from(content), { real: true })
  }
}

function shownOf({ result, changeSet, blocked, stopped }: EndedCopy) {
  return {
    exit: result.exitCode,
    timedOut: result.timedOut,
    output: result.stdout + result.stderr,
    stopped,
    changes: changeSet.changes.map(shownChange),
    obstacles: changeSet.obstacles,
    leftOut: changeSet.leftOut,
    blocked,
  }
}

function shownChange(change: CopyChange) {
  if (change.kind === 'created') return { kind: change.kind, path: change.path, after: change.after, movedFrom: change.movedFrom }
  if (change.kind === 'deleted') return { kind: change.kind, path: change.path, before: change.before }
  return { kind: change.kind, path: change.path, before: change.before, after: change.after }
}
