import { ownFolders } from '../../own-programs/own-programs.ts'
import type { CommandStart } from '../../process/started-command.ts'

/** Variables with which the programs that prepare the sandbox would find, load or run a file of the project. */
const LEADS_TO_PROGRAMS = /^(?:PATH|LD_.*|GCONV_PATH|LOCPATH|BASH_ENV|ENV|BASH_FUNC_.*|SHELLOPTS|BASHOPTS|PS4)$/u

/**
 * Splits a command's variables. `variables` are those of the scripts that prepare the sandbox from outside, with a PATH without folders of
 * a project. bubblewrap's `options` set the others inside.
 */
export function outsideVariables(inside: CommandStart['env']) {
  const all = Object.entries(inside)
  const outside = all.filter(([name]) => !LEADS_TO_PROGRAMS.test(name))
  return {
    variables: { ...Object.fromEntries(outside), PATH: ownFolders() },
    options: all.filter(([name]) => LEADS_TO_PROGRAMS.test(name)).flatMap(([name, value]) => ['--setenv', name, value]),
  }
}
