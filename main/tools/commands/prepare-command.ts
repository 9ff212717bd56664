import { type CommandEffect, NO_TIME_LIMIT_MS } from '../../../shared/session/effects.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import type { PrepareContext } from '../../agent/ports/tool.ts'
import { locate } from '../define/outcome.ts'
import { commandTimeLimit, runsLong } from './time-limit.ts'

export interface ShellParts {
  /** Whether a command may destroy what cannot be brought back. `cwd` is a real path. */
  isDestructive(command: string, cwd: string): boolean
}

/** A command as a call names it. */
export interface CommandCall {
  readonly command: string
  readonly timeout_ms?: number | undefined
  readonly run_in_background?: boolean | undefined
}

/** What it does is not known beforehand, so the line itself is the effect. A failure is for the model. */
export async function commandEffect(
  call: CommandCall,
  folder: string,
  context: PrepareContext,
  parts: ShellParts,
  way?: CommandEffect['way'],
): Promise<Result<CommandEffect, string>> {
  const { command, timeout_ms: asked } = call
  const flaw = flawOf(command)
  if (flaw !== null) return failed(flaw)
  const place = await locate(context, folder)
  if (!place.ok) return place
  const { path: cwd, outside } = place.value
  const { defaultCommandMs, longCommandMs = defaultCommandMs, sessionCommandMs: session, maxCommandMs: cap } = context.limits
  const profile = runsLong(command) ? Math.max(defaultCommandMs, longCommandMs) : defaultCommandMs
  const isBackground = call.run_in_background === true
  return ok({
    kind: 'command',
    command,
    cwd,
    outside,
    env: {},
    timeoutMs: isBackground ? (asked ?? NO_TIME_LIMIT_MS) : commandTimeLimit({ call: asked, session, profile, cap }),
    destructive: parts.isDestructive(command, cwd),
    ...(isBackground ? { way: 'background' as const } : way && { way }),
  })
}

function flawOf(command: string): string | null {
  if (command.includes('\0')) return 'The command holds a NUL character, which no shell takes. Nothing was run.'
  if (command.trim() === '') return 'The command is empty. Nothing was run.'
  return command.isWellFormed() ? null : 'The command holds half a character (a lone surrogate). Nothing was run.'
}
