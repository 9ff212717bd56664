import type { CommandEffect } from '../../../shared/session/effects.ts'
import type { ShellDetails } from '../../../shared/tools/shell.ts'
import type { ExecOptions, ExecResult } from '../../agent/ports/execution-environment.ts'
import type { RunContext, ToolOutput } from '../../agent/ports/tool.ts'
import { createLazySpool, type SpooledBytes } from './lazy-spool.ts'
import { shellOutput, writtenOutput } from './shell-output.ts'

/** Bytes of output that are held before a file is opened for them: so much text a result holds whole. */
const HELD_BYTES = 512 * 1024

export type Listeners = Required<Pick<ExecOptions, 'signal' | 'onProgress' | 'onWaiting' | 'spoolText'>> & Pick<ExecOptions, 'spool'>

/** What came of a command, and where the rest of it lies. */
export interface CommandRun<R extends ExecResult> {
  readonly result: R
  /** The raw terminal bytes; null without a terminal or without output. */
  readonly raw: SpooledBytes | null
  /** The rendered text, where it was too long for the result. */
  readonly whole: SpooledBytes | null
}

/** Runs a command with everybody who wants to hear of it while it does. */
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
    ...(run.terminal && { spool: (bytes: Uint8Array) => raw.write(bytes) }),
  })
  return { result, raw: run.terminal ? raw.end(true) : null, whole: text.end(false) }
}

/** The two faces of a command that ran; `note` is for the model alone. */
export function commandOutput(effect: CommandEffect, run: RunContext, ran: CommandRun<ExecResult>, note: string | null = null): ToolOutput {
  const { result, raw, whole } = ran
  return {
    output: [shellOutput(result), ...keptNote(ran), ...(note === null ? [] : [note])].join('\n'),
    ...(result.aborted && { shown: writtenOutput(result) }),
    isError: result.exitCode !== 0 || result.timedOut || result.aborted,
    details: commandDetails(effect, run, result, raw?.ref.hash ?? null),
    ...(whole && !result.complete && { whole: whole.ref }),
    ...(result.missing !== undefined && { missing: result.missing }),
  }
}

/** An output beyond the store's cap is not whole anywhere: that must not look as if it were. */
function keptNote({ result, whole }: CommandRun<ExecResult>): readonly string[] {
  return whole?.capped && !result.complete ? [`[Of the output only the first ${whole.ref.bytes} bytes and the end are kept.]`] : []
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
  } satisfies ShellDetails
}
