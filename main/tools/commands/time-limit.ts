import { DEFAULT_COMMAND_MS, MAX_COMMAND_MS } from '../../../shared/session/settings/command-time.ts'

export interface TimeLimits {
  /** What the call names. */
  readonly call?: number | undefined
  /** What the user set for the session. */
  readonly session?: number | undefined
  readonly profile?: number | undefined
  readonly cap?: number | undefined
}

/** The one place where a command's time limit is decided: call, else session, else profile, else 10 s; never above the cap. */
export function commandTimeLimit({ call, session, profile, cap = MAX_COMMAND_MS }: TimeLimits): number {
  const wanted = [call, session, profile].find((ms) => ms !== undefined && Number.isFinite(ms) && ms > 0) ?? DEFAULT_COMMAND_MS
  return Math.max(1, Math.min(Math.ceil(wanted), cap))
}

/** Programs that test, build or install whatever their arguments are. */
const PROGRAMS =
  'pytest tox nox vitest jest mocha ava playwright cypress karma ctest phpunit rspec rake tsc webpack rollup make gmake cmake ninja meson bazel gradle gradlew mvn mvnw ant sbt xcodebuild turbo nx lerna pre-commit'

/** Programs that do so with one of these words behind them. */
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

/** Whether a command line probably tests, builds or installs, which takes longer than other commands. Only its time limit depends on it. */
export function runsLong(command: string): boolean {
  return LONG_RUNNING.test(command)
}
