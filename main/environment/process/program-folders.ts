import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'

/** The folders that a program needs to read: its own, and for a link into a package of npm, all packages beside it. */
export function programFolders(file: string): readonly string[] {
  const real = realpathSync(file)
  const packages = real.indexOf('/node_modules/')
  return [dirname(file), packages < 0 ? dirname(real) : real.slice(0, packages + '/node_modules'.length)]
}
