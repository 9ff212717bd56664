import { homedir, userInfo } from 'node:os'
import { isatty } from 'node:tty'
import type { LaunchVariables } from '../../../shared/api/app.ts'
import { cleanVariables } from '../clean-variables.ts'
import { addShellVariables, launchEnvironment } from '../launch-environment.ts'
import { readShellVariables } from './read-shell-variables.ts'

let completed: Promise<LaunchVariables> = Promise.resolve({ kind: 'as_started' })

/** Resolves when the variables of the user's shell are known or were given up, after 10 s at most. Programs of the user wait for it. */
export function launchVariables(): Promise<LaunchVariables> {
  return completed
}

/**
 * If the app was started without a terminal (a dock, a launcher, a service), asks the user's shell once for its variables and adds them to
 * the launch environment. Returns at once.
 */
export function completeFromShell(start: Start = thisStart()): Promise<LaunchVariables> {
  if (!isWithoutTerminal(start)) return completed
  completed = askShell(start)
  return completed
}

/** How the app was started. A parameter so that tests can start it in another way. */
export interface Start {
  readonly env: NodeJS.ProcessEnv
  readonly platform: string
  readonly hasTerminal: boolean
  readonly loginShell: string | null
  readonly limitMs?: number
}

const thisStart = (): Start => ({
  env: launchEnvironment(),
  platform: process.platform,
  hasTerminal: [0, 1, 2].some((descriptor) => isatty(descriptor)),
  loginShell: loginShell(),
})

function loginShell(): string | null {
  try {
    return userInfo().shell
  } catch {
    // A user without an entry in the system's list of users.
    return null
  }
}

/** A script has no terminal either, but it passes on TERM, and npm adds its own variables. */
function isWithoutTerminal({ env, platform, hasTerminal }: Start): boolean {
  if (platform === 'win32' || hasTerminal || env['npm_lifecycle_event'] !== undefined) return false
  return [undefined, '', 'dumb', 'linux'].includes(env['TERM'])
}

async function askShell({ env, loginShell: login, limitMs }: Start): Promise<LaunchVariables> {
  const shell = env['SHELL'] || login || '/bin/sh'
  const asked = await readShellVariables({
    shell,
    env: cleanVariables(env),
    folder: homedir(),
    ...(limitMs !== undefined && { limitMs }),
  })
  if (!asked.ok) return { kind: 'failed', shell, why: asked.failure }
  return { kind: 'from_shell', shell, ...addShellVariables(asked.value) }
}
