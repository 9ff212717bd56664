import { ownProgram } from './own-programs.ts'

/** What installs packages, with the first words of the command. */
const INSTALLERS = [
  ['apt-get', 'sudo apt-get install'],
  ['dnf', 'sudo dnf install'],
  ['pacman', 'sudo pacman -S'],
  ['zypper', 'sudo zypper install'],
  ['apk', 'sudo apk add'],
] as const

/** The command that installs these packages on this system. Null if no package manager is known. */
export function installCommand(packages: readonly string[]): string | null {
  const [, install] = INSTALLERS.find(([program]) => ownProgram(program, '') !== null) ?? []
  return install === undefined ? null : `${install} ${packages.join(' ')}`
}
