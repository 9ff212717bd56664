import type { ExecResult } from '../../agent/ports/execution-environment.ts'

/**
 * What the model reads of a command (P3-26): its output, its errors under a heading of their own, and one line with how it ended and
 * how long it took. The environment has put the words on a time-out below the partial output (S-31).
 */
export function shellOutput(result: ExecResult): string {
  const { text: stderr, note } = result.timedOut ? withoutNote(result.stderr) : { text: result.stderr, note: [] }
  const parts = [result.stdout, stderr === '' ? '' : `stderr:\n${stderr}`].filter((part) => part !== '')
  return [...parts.map((part) => part.replace(/\n$/u, '')), ...note, ...waited(result), ...left(result), ending(result)].join('\n')
}

/** What people see of a command that was stopped: what it wrote. How it ended and how long it took is shown beside it. */
export function writtenOutput({ stdout, stderr }: Pick<ExecResult, 'stdout' | 'stderr'>): string {
  return [stdout, stderr].filter((part) => part !== '').join('\n')
}

/** The words on a time-out are not the command's own errors. */
function withoutNote(stderr: string): { readonly text: string; readonly note: readonly string[] } {
  const at = stderr.search(/\[ERROR: Command timed out [^\n]*\]$/u)
  return at < 0 ? { text: stderr, note: [] } : { text: stderr.slice(0, at), note: [stderr.slice(at)] }
}

function ending({ exitCode, signal, timedOut, aborted, durationMs }: ExecResult): string {
  const time = `${durationMs} ms`
  if (aborted) return `Stopped after ${time}`
  if (timedOut) return `Timed out after ${time}`
  return exitCode === null ? `Ended by ${signal ?? 'a signal'} after ${time}` : `Exit code: ${exitCode} (${time})`
}

function waited({ waitedForInput }: ExecResult): readonly string[] {
  return waitedForInput ? ['It was waiting for input. Give it what it asks for by its arguments or on its standard input.'] : []
}

function left({ leftRunning = [] }: ExecResult): readonly string[] {
  if (leftRunning.length === 0) return []
  return [`Still running in the background: ${leftRunning.map((pid) => `process ${pid}`).join(', ')}.`]
}
