import { resolve } from 'node:path'
import { lookAhead } from '../../agent/one-look.ts'
import { modelOnly, type ReasonText, reason } from '../../agent/reason.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import { type CommandEffect, NO_TIME_LIMIT_MS } from '../../../shared/session/effects.ts'
import { DEFAULT_COMMAND_MS, MAX_COMMAND_MS } from '../../../shared/session/settings/session-config.ts'
import type { PrepareContext } from '../../agent/ports/tool.ts'
import { locate } from '../define/tool-path.ts'

/** The arguments of a call that describe a command. */
export interface CommandCall {
  readonly command: string
  readonly timeout_ms?: number | undefined
  readonly run_in_background?: boolean | undefined
}

/** What a command does is not known in advance, so the command line itself is the effect. The failure is text for the model. */
export async function commandEffect(
  call: CommandCall,
  folder: string,
  context: PrepareContext,
  way?: CommandEffect['way'],
): Promise<Result<CommandEffect, ReasonText>> {
  const { command, timeout_ms: asked } = call
  const flaw = flawOf(command)
  if (flaw !== null) return failed(flaw)
  // The policy looks at the files that the command names.
  void lookAhead(context.env, pathsNamedIn(command, resolve(context.env.workingDirectory(), folder)), 'facts')
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
    env: { ...context.variables },
    timeoutMs: isBackground ? (asked ?? NO_TIME_LIMIT_MS) : commandTimeLimit({ call: asked, session, profile, cap }),
    destructive: false,
    ...(isBackground ? { way: 'background' as const } : way && { way }),
  })
}

/** Maximum number of paths that are looked up before the command is judged. */
const MAX_NAMED = 24

/** What may be paths in a command. Too many or too few cost only time. */
const pathsNamedIn = (command: string, cwd: string): readonly string[] =>
  [...new Set(command.match(/[\w.@+/-]*[\w/][\w.@+/-]*/gu))].slice(0, MAX_NAMED).map((word) => resolve(cwd, word))

function flawOf(command: string): ReasonText | null {
  if (command.includes('\0')) return 'The command contains a NUL character, which no shell accepts. Nothing was run.'
  if (command.trim() === '') return 'The command is empty. Nothing was run.'
  if (!command.isWellFormed()) return 'The command contains half a character (a lone surrogate). Nothing was run.'
  const quote = unclosedQuote(command)
  if (quote === null) return null
  return reason`bash: unexpected EOF while looking for matching ${quote} (syntax error). Nothing was run. ${modelOnly('Close the quote.')}`
}

/** What can change the meaning of a quote, or let bash run a part of the command before it finds that a quote is missing. */
const LESS_PLAIN = /[\n\r\\`#]|\$[({'"]|<</u

/** The quote that a plain command of one line leaves open. Null if there is none, or if the line is less plain. */
function unclosedQuote(command: string): string | null {
  if (LESS_PLAIN.test(command)) return null
  let open: string | null = null
  for (const character of command) {
    if (character === open) open = null
    else if (open === null && (character === '"' || character === "'")) open = character
  }
  return open
}

export interface TimeLimits {
  /** The time limit that the call sets. */
  readonly call?: number | undefined
  /** The time limit that the user set for the session. */
  readonly session?: number | undefined
  readonly profile?: number | undefined
  readonly cap?: number | undefined
}

/**
 * The time limit of a command: that of the call, otherwise that of the session, otherwise that of the profile, otherwise 10 s. Never
 * above the cap.
 */
export function commandTimeLimit({ call, session, profile, cap = MAX_COMMAND_MS }: TimeLimits): number {
  const wanted = [call, session, profile].find((ms) => ms !== undefined && Number.isFinite(ms) && ms > 0) ?? DEFAULT_COMMAND_MS
  return Math.max(1, Math.min(Math.ceil(wanted), cap))
}

/** Programs that always test, build or install. */
const PROGRAMS =
  'pytest tox nox vitest jest mocha ava playwright cypress karma ctest phpunit rspec rake tsc webpack rollup make gmake cmake ninja meson bazel gradle gradlew mvn mvnw ant sbt xcodebuild turbo nx lerna pre-commit'

/** Programs that test, build or install with one of these subcommands. */
const SUBCOMMANDS = [
  ['npm|pnpm|yarn|bun', 't|tst|test|build|check|lint|types?|typecheck|type-check|compile|e2e|ci|i|install|add'],
  ['cargo', 'build|check|test|nextest|clippy|bench|doc|install|run'],
  ['go', 'build|test|vet|install|generate|run'],
  ['dotnet', 'build|test|publish|restore|run'],
  ['swift|zig|dune|stack|cabal|mix|ng|vite|next|deno|flutter', 'build|test|compile|check'],
  ['pip3?|uv|poetry|bundle|composer|apt|apt-get|brew|gem', 'install|sync|add|test|update|upgrade'],
  ['python3?', 'pytest|unittest|tox|nox|build|pip'],
  ['node', '--test'],
  ['docker|podman', 'build|compose|pull'],
] as const

const LONG_RUNNING = longRunning()

function longRunning(): RegExp {
  const alone = `(?:${PROGRAMS.replaceAll(' ', '|')})`
  const options = String.raw`(?:\s+run(?:-script)?|\s+-[\w-]+(?:=\S+)?)*`
  const together = SUBCOMMANDS.map(([program, words]) => String.raw`(?:${program})${options}\s+(?:${words})(?::[\w:.-]+)?`)
  return new RegExp(String.raw`(?:^|[\s;&|(/])(?:${[alone, ...together].join('|')})(?=$|[\s;&|)])`, 'u')
}

/** Whether a command line probably tests, builds or installs, and therefore takes longer. Only its time limit depends on this. */
export function runsLong(command: string): boolean {
  return LONG_RUNNING.test(command)
}
