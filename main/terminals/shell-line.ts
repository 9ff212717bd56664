import { launchEnvironment } from '../environment/launch-environment.ts'

/** Variables that we set for the agent's commands: they disable the pager and git's prompts. The user's own terminals do not get them. */
const OVERRIDDEN = ['PAGER', 'GIT_PAGER', 'GIT_TERMINAL_PROMPT', 'GIT_OPTIONAL_LOCKS'] as const

/** The command that starts the user's own shell. It is a login shell, because only those read some of the start files that set PATH. */
export function shellLine(platform: string): string {
  if (platform === 'win32') return 'powershell -NoLogo'
  // The shell of a service account, such as nologin, only prints an error.
  const shell = `case "\${SHELL##*/}" in ''|nologin|false) SHELL=/bin/sh;; esac;`
  return `unset ${OVERRIDDEN.join(' ')}; ${restored()} ${shell} ${BASH_WITHOUT_PROFILE} exec "$SHELL" -il`
}

/**
 * A login bash reads `.bashrc` only if the user's profile does so. If there is no profile, the login shell starts an ordinary one, which reads it.
 */
const BASH_WITHOUT_PROFILE = `case "\${SHELL##*/}" in bash) [ -e ~/.bash_profile ] || [ -e ~/.bash_login ] || [ -e ~/.profile ] || exec "$SHELL" -lc 'exec "$SHELL" -i';; esac;`

/** Returns shell code that restores the user's own values of these variables, which are stored under other names. */
function restored(): string {
  return OVERRIDDEN.map((name) => `[ -n "\${OWN_${name}+x}" ] && export ${name}="$OWN_${name}"; unset OWN_${name};`).join(' ')
}

/** The user's own values of these variables, under the names from which the shell line restores them. */
export function userValues(): Readonly<Record<string, string>> {
  const person = launchEnvironment()
  return Object.fromEntries(OVERRIDDEN.flatMap((name) => (person[name] === undefined ? [] : [[`OWN_${name}`, person[name]]])))
}
