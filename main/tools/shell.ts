import type { CommandEffect } from '../../shared/session/effects.ts'
import { type ShellDetails, type ShellInput, shellSpec } from '../../shared/tools/shell.ts'
import type { ExecResult, OutputChunk } from '../agent/ports/execution-environment.ts'
import type { PrepareContext, Prepared, RunContext, Tool, ToolOutput } from '../agent/ports/tool.ts'
import { defineTool } from './define-tool.ts'
import { createLazySpool } from './lazy-spool.ts'
import { failure, fileFailure, leadsElsewhere, locate, rejected } from './outcome.ts'
import { shellOutput, writtenOutput } from './shell-output.ts'
import { commandTimeLimit } from './time-limit.ts'

/** Bytes of output that are held before a file is opened for them: so much text a result holds whole. */
const HELD_BYTES = 512 * 1024

export interface ShellParts {
  /** Whether a command may destroy what cannot be brought back. `cwd` is a real path. */
  isDestructive(command: string, cwd: string): boolean
}

/** One command line in a fresh shell; what it does is not known beforehand, so the line itself is the effect. */
export function createShellTool(parts: ShellParts): Tool {
  return defineTool(shellSpec, (input, context) => prepare(input, context, parts))
}

async function prepare(input: ShellInput, context: PrepareContext, parts: ShellParts): Promise<Prepared> {
  const flaw = flawOf(input.command)
  if (flaw !== null) return rejected(flaw)
  const place = await locate(context, input.working_dir ?? context.env.workingDirectory())
  if (!place.ok) return rejected(place.failure)
  const { path: cwd, outside } = place.value
  const { defaultCommandMs: session, maxCommandMs: cap } = context.limits
  const effect: CommandEffect = {
    kind: 'command',
    command: input.command,
    cwd,
    outside,
    env: {},
    timeoutMs: commandTimeLimit({ call: input.timeout_ms, session, cap }),
    destructive: parts.isDestructive(input.command, cwd),
  }
  return { kind: 'ready', effects: [effect], commit: (run) => execute(effect, run) }
}

function flawOf(command: string): string | null {
  if (command.includes('\0')) return 'The command holds a NUL character, which no shell takes. Nothing was run.'
  if (command.trim() === '') return 'The command is empty. Nothing was run.'
  return command.isWellFormed() ? null : 'The command holds half a character (a lone surrogate). Nothing was run.'
}

async function execute(effect: CommandEffect, run: RunContext): Promise<ToolOutput> {
  const raw = createLazySpool(() => run.openSpool(), HELD_BYTES)
  const text = createLazySpool(() => run.openSpool(), HELD_BYTES)
  const encoder = new TextEncoder()
  let result: ExecResult
  try {
    const moved = await leadsElsewhere(run, { path: effect.cwd, shown: effect.cwd })
    if (moved) return moved
    result = await run.env.execCommand(effect.command, {
      workingDir: effect.cwd,
      envVars: effect.env,
      timeoutMs: effect.timeoutMs,
      signal: run.signal,
      onProgress: (tail, bytes) => run.progress(tail, bytes),
      spoolText: (chunk: OutputChunk) => text.write(encoder.encode(chunk.text)),
      ...(run.terminal && { terminal: run.terminal, spool: (bytes: Uint8Array) => raw.write(bytes) }),
    })
  } catch (error) {
    return failure(`The command was not run: ${fileFailure(error).message}`, details(effect, null, run, null))
  }
  const rawBlob = run.terminal ? raw.end(true) : null
  const whole = text.end(false)
  return {
    output: shellOutput(result),
    ...(result.aborted && { shown: writtenOutput(result) }),
    isError: result.exitCode !== 0 || result.timedOut || result.aborted,
    details: details(effect, result, run, rawBlob?.hash ?? null),
    ...(whole && !result.complete && { whole }),
  }
}

function details({ command, cwd }: CommandEffect, result: ExecResult | null, run: RunContext, rawBlob: string | null) {
  return {
    command,
    cwd,
    exitCode: result?.exitCode ?? null,
    timedOut: result?.timedOut ?? false,
    terminal: run.terminal !== null,
    rawBlob,
  } satisfies ShellDetails
}
