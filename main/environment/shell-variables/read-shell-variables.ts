import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { basename, isAbsolute } from 'node:path'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import type { Variables } from '../env-policy.ts'

/** How long a shell's start files may take, in ms. */
const LIMIT_MS = 10_000
/** More output than this, in bytes, is not an environment. */
const MAX_OUTPUT = 4 * 1024 * 1024

export interface ShellQuestion {
  /** Absolute path of the shell. */
  readonly shell: string
  /** The variables that the shell starts with, and the folder that it starts in. */
  readonly env: Variables
  readonly folder: string
  /** In ms. 10 s by default. */
  readonly limitMs?: number
}

/**
 * The variables that the user's shell has after its start files, as a login shell at a prompt would have them. A failure is a sentence
 * that says why there are none. The shell gets no terminal and no input. It is stopped when the limit is over.
 */
export function readShellVariables({ shell, env, folder, limitMs = LIMIT_MS }: ShellQuestion): Promise<Result<Variables, string>> {
  if (!isAbsolute(shell)) return Promise.resolve(failed(`The shell ${shell} is not an absolute path.`))
  const mark = randomBytes(16).toString('hex')
  const { promise, resolve } = Promise.withResolvers<Result<Variables, string>>()
  // `detached` gives the shell its own session, so that an interactive shell cannot stop itself over a terminal that is not its own.
  const child = spawn(shell, argumentsFor(shell, mark), { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
  let output = Buffer.alloc(0)
  const limit = setTimeout(() => {
    // Programs that a start file left running belong to the user.
    if (child.exitCode === null && child.signalCode === null) endGroup(child.pid)
    resolve(failed(`${shell} did not answer within ${limitMs / 1000} s. One of its start files may wait for something.`))
  }, limitMs)
  child.stdout.on('data', (bytes: Buffer) => {
    output = Buffer.concat([output, bytes])
    // Start files may leave programs behind that keep the output open, so the end of the output is not awaited.
    const found = output.includes(mark) ? variablesBetween(output.toString(), mark) : null
    if (found !== null) resolve(found)
    if (output.length <= MAX_OUTPUT) return
    endGroup(child.pid)
    resolve(failed(`${shell} printed more than ${MAX_OUTPUT / 1024 / 1024} MB before its variables.`))
  })
  child.once('error', (error) => resolve(failed(`${shell} could not be started: ${error.message}.`)))
  child.once('close', (code, signal) =>
    resolve(failed(`${shell} ended without printing its variables (${signal ?? `exit code ${code}`}).`)),
  )
  child.once('close', () => clearTimeout(limit))
  child.once('error', () => clearTimeout(limit))
  limit.unref()
  return promise
}

/** csh accepts `-l` only as its single argument. */
function argumentsFor(shell: string, mark: string): string[] {
  // An old `env` without `-0` prints nothing. Lines are a worse answer than none only for values of several lines.
  const command = `echo ${mark}; /usr/bin/env -0 || /usr/bin/env; echo ${mark}`
  return [['csh', 'tcsh'].includes(basename(shell)) ? '-ic' : '-ilc', command]
}

/** Null until both marks are there. The last two count, because a shell may print the command itself before it runs it. */
function variablesBetween(output: string, mark: string): Result<Variables, string> | null {
  const end = output.lastIndexOf(`${mark}\n`)
  const start = output.lastIndexOf(`${mark}\n`, end - 1)
  if (start === -1 || end <= start) return null
  const block = output.slice(start + mark.length + 1, end)
  const variables = Object.fromEntries(entriesIn(block))
  return 'PATH' in variables ? ok(variables) : null
}

function* entriesIn(block: string): Iterable<readonly [string, string]> {
  for (const entry of block.split(block.includes('\0') ? '\0' : '\n')) {
    const at = entry.indexOf('=')
    if (/^[A-Za-z_]\w*$/.test(entry.slice(0, Math.max(at, 0)))) yield [entry.slice(0, at), entry.slice(at + 1)]
  }
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended in the meantime.
  }
}
