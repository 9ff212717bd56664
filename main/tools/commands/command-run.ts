import type { CommandEffect } from '../../../shared/session/effects.ts'
import type { ShellDetails } from '../../../shared/tools/built-in/shell.ts'
import type { ExecOptions, ExecResult } from '../../agent/ports/execution-environment.ts'
import type { RunContext, ToolOutput } from '../../agent/ports/tool.ts'
import { createLazySpool, type SpooledBytes } from './lazy-spool.ts'

/** Number of bytes of output that are kept in memory before a file is opened. Output up to this size is complete in the result. */
const HELD_BYTES = 512 * 1024

export type Listeners = Required<Pick<ExecOptions, 'signal' | 'onProgress' | 'onWaiting' | 'spoolText'>> &
  Pick<ExecOptions, 'spool' | 'pausesForInput'>

/** The result of a command, and where its complete output is stored. */
export interface CommandRun<R extends ExecResult> {
  readonly result: R
  /** The raw terminal bytes; null without a terminal or without output. */
  readonly raw: SpooledBytes | null
  /** The rendered text; null if the result contains all of it. */
  readonly whole: SpooledBytes | null
}

/** Runs a command and reports its progress. */
export async function followed<R extends ExecResult>(run: RunContext, exec: (listeners: Listeners) => Promise<R>): Promise<CommandRun<R>> {
  const raw = createLazySpool(() => run.openSpool(), HELD_BYTES)
  const text = createLazySpool(() => run.openSpool(), HELD_BYTES)
  let seen = { tail: '', bytes: 0, waits: false }
  const tell = (news: Partial<typeof seen>): void => {
    seen = { ...seen, ...news }
    run.progress(seen.tail, seen.bytes, seen.waits)
  }
  const result = await exec({
    signal: run.signal,
    onProgress: (tail, bytes) => tell({ tail, bytes }),
    onWaiting: (waits) => tell({ waits }),
    spoolText: (utf8) => text.write(utf8),
    ...(run.terminal?.isUnattended === true && { pausesForInput: false }),
    ...(run.terminal && { spool: (bytes: Uint8Array) => raw.write(bytes) }),
  })
  return { result, raw: run.terminal ? raw.end(true) : null, whole: text.end(false) }
}

/** The output of a command for the model, and the details for the screen. Only the model gets `note`. */
export function commandOutput(effect: CommandEffect, run: RunContext, ran: CommandRun<ExecResult>, note: string | null = null): ToolOutput {
  const { result, raw, whole } = ran
  const { text, forModel } = shellOutput(result)
  return {
    output: [text, ...keptNote(ran), ...(note === null ? [] : [note])].join('\n'),
    ...(result.aborted && { shown: writtenOutput(result) }),
    isError: result.exitCode !== 0 || result.timedOut || result.aborted,
    details: { ...commandDetails(effect, run, result, raw?.ref.hash ?? null), forModel: [...forModel] },
    ...(whole && !result.complete && { whole: whole.ref }),
    ...(result.missing !== undefined && { missing: result.missing }),
  }
}

/** If an output exceeds the limit of the store, no complete copy of it exists, and the model must know that. */
function keptNote({ result, whole }: CommandRun<ExecResult>): readonly string[] {
  return whole?.capped && !result.complete ? [`[Only the first ${whole.ref.bytes} bytes and the end of the output were kept.]`] : []
}

export function commandDetails(
  { command, cwd }: CommandEffect,
  run: RunContext,
  result: ExecResult | null = null,
  rawBlob: string | null = null,
) {
  return {
    command,
    cwd,
    exitCode: result?.exitCode ?? null,
    timedOut: result?.timedOut ?? false,
    terminal: run.terminal !== null,
    rawBlob,
    forModel: [],
  } satisfies ShellDetails
}

/**
 * The text that the model gets about a command: its output, its errors under a heading, and a line that says how it ended and how long it
 * took. After a timeout, the environment has already added a message after the partial output.
 */
function shellOutput(result: ExecResult): { readonly text: string; readonly forModel: readonly string[] } {
  const note = result.timeoutNote ?? ''
  const stdout = withoutEnd(result.stdout, note)
  const stderr = withoutEnd(result.stderr, note)
  const parts = [stdout, stderr === '' ? '' : `stderr:\n${stderr}`].filter((part) => part !== '')
  const limit = note === '' ? [] : [note]
  const advice = [...limit, ...waited(result)]
  // The message about a timeout already gives the limit. A second figure, which includes pauses, would contradict it.
  const end = limit.length > 0 ? [] : [ending(result)]
  const text = [...parts.map((part) => part.replace(/\n$/u, '')), ...advice, ...left(result), ...end].join('\n')
  return { text, forModel: [...advice, ...end] }
}

/** The text that people see for a stopped command: only its output. The command's line shows how it ended and how long it took. */
export function writtenOutput({ stdout, stderr }: Pick<ExecResult, 'stdout' | 'stderr'>): string {
  return [stdout, stderr].filter((part) => part !== '').join('\n')
}

function withoutEnd(written: string, end: string): string {
  return written.endsWith(end) ? written.slice(0, written.length - end.length) : written
}

function ending({ exitCode, signal, timedOut, aborted, durationMs }: ExecResult): string {
  const time = `${durationMs} ms`
  if (aborted) return `Stopped after ${time}`
  if (timedOut) return `Timed out after ${time}`
  return exitCode === null ? `Ended by ${signal ?? 'a signal'} after ${time}` : `Exit code: ${exitCode} (${time})`
}

function waited({ waitedForInput }: ExecResult): readonly string[] {
  return waitedForInput ? ['The command was waiting for input. Provide the input in its arguments or on its standard input.'] : []
}

function left({ leftRunning = [] }: ExecResult): readonly string[] {
  if (leftRunning.length === 0) return []
  return [`Still running in the background: ${leftRunning.map((pid) => `process ${pid}`).join(', ')}.`]
}
