import { launchEnvironment } from '../environment/launch-environment.ts'

/** Variables that our commands get but that a user at a terminal does not want: they disable the pager and git's prompts. */
const NOT_OURS = ['PAGER', 'GIT_PAGER', 'GIT_TERMINAL_PROMPT', 'GIT_OPTIONAL_LOCKS'] as const

/** The command that starts the user's own shell. It is a login shell, because the user's PATH may be set in the start files of those. */
export function shellLine(platform: string): string {
  if (platform === 'win32') return 'powershell -NoLogo'
  // Accounts of services have a shell that only says that it allows no login.
  const shell = `case "\${SHELL##*/}" in ''|nologin|false) SHELL=/bin/sh;; esac;`
  return `unset ${NOT_OURS.join(' ')}; ${restored()} ${shell} exec "$SHELL" -il`
}

/** Returns shell code that restores the user's own values of these variables, which are stored under other names. */
function restored(): string {
  return NOT_OURS.map((name) => `[ -n "\${OWN_${name}+x}" ] && export ${name}="$OWN_${name}"; unset OWN_${name};`).join(' ')
}

/** The user's own values of these variables, under the names from which the shell line restores them. */
export function personsOwn(): Readonly<Record<string, string>> {
  const person = launchEnvironment()
  return Object.fromEntries(NOT_OURS.flatMap((name) => (person[name] === undefined ? [] : [[`OWN_${name}`, person[name]]])))
}
