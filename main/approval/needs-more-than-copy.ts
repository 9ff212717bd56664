import type { CommandEffect } from '../../shared/session/effects.ts'
import { judgeCommand } from './judge-command.ts'
import { programOf, startsOf } from './command-line/started-programs.ts'

const HIDDEN_KEYS = 'needs keys or a sign-in that a copy hides.'
const MORE_RIGHTS = 'needs more rights than a copy gives.'
const SERVICES = 'talks to services of the system, which a copy cannot reach.'

/** Programs that cannot do their work in a copy, and why. The sentence continues after the program's name. */
const NEEDS: ReadonlyMap<string, string> = new Map([
  ['docker', 'needs the Docker socket, and containers run outside the sandbox.'],
  ['docker-compose', 'needs the Docker socket, and containers run outside the sandbox.'],
  ['podman', 'starts containers, which run outside the sandbox.'],
  ...['ssh', 'scp', 'sftp', 'gh', 'glab', 'kubectl', 'helm', 'aws', 'gcloud', 'az', 'gpg'].map((name) => [name, HIDDEN_KEYS] as const),
  ...['sudo', 'doas', 'su', 'pkexec'].map((name) => [name, MORE_RIGHTS] as const),
  ...['systemctl', 'journalctl', 'loginctl', 'xdg-open', 'adb'].map((name) => [name, SERVICES] as const),
])

/** Why a command, judged by its text, cannot work in a copy; null: nothing says so. */
export function needsMoreThanCopy(
  { command, cwd }: CommandEffect,
  place: { readonly root: string; readonly home: string | null },
): string | null {
  const judgement = judgeCommand(command, { cwd, ...place })
  for (const { words } of judgement?.line.runs ?? [])
    for (const start of startsOf(words)) {
      const program = programOf(start[0])
      const needs = program === null || asksForHelp(start.map(({ text }) => text)) ? undefined : NEEDS.get(program)
      if (needs !== undefined) return `${program} ${needs}`
    }
  return null
}

/** `docker --version` works anywhere. */
const asksForHelp = ([, ...rest]: readonly string[]): boolean =>
  rest.length > 0 && rest.every((word) => ['--version', '-v', '-V', 'version', '--help', '-h', 'help'].includes(word))
