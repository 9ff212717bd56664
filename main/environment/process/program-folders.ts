import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'

/** The folders that a program has to read: its own and, if it is a link into an npm package, the whole `node_modules` folder. */
export function programFolders(file: string): readonly string[] {
  const real = realpathSync(file)
  const packages = real.indexOf('/node_modules/')
  return [dirname(file), packages < 0 ? dirname(real) : real.slice(0, packages + '/node_modules'.length)]
}
