import { isAbsolute, relative, resolve } from 'node:path'
import type { ExecutionEnvironment } from '../../agent/ports/execution-environment.ts'
import { COPY_UP } from '../../environment/layers/overlay/whole-folders.ts'
import { isInside } from '../../is-inside.ts'

interface RenamableParts {
  /** The real path of the project folder. */
  readonly folder: string
  /** The environment in the layer. */
  environment(): Promise<Pick<ExecutionEnvironment, 'spawn'>>
  /** Called with the relative path of a folder that is completely in the layer. */
  makeWhole(path: string): Promise<void>
}

/** Makes folders of the project renamable in a layer. The kernel renames only folders that are completely in the layer. */
export interface RenamableFolders {
  /** Resolves to false if the path is not a folder of the project, was tried before, or cannot be copied. */
  make(path: string): Promise<boolean>
}

export function renamableFolders({ folder, environment, makeWhole }: RenamableParts): RenamableFolders {
  const tried = new Set<string>()
  return {
    async make(path) {
      const full = resolve(folder, path)
      if (tried.has(full) || full === folder || !isInside(folder, full)) return false
      tried.add(full)
      try {
        const { exitCode } = await (await environment()).spawn(['bash', '--norc', '-c', COPY_UP, 'copy-up', full])
        if (exitCode !== 0) return false
        await makeWhole(relative(folder, full))
        return true
      } catch {
        return false
      }
    },
  }
}

/** Messages of programs about a folder that could not be renamed. The first group is the folder. */
const FOLDERS: readonly RegExp[] = [
  /\bEXDEV\b[^\n]*?\brename '([^'\n]+)' ->/u,
  /Invalid cross-device link: ["']([^"'\n]+)["'] ->/u,
  /renaming '([^'\n]+)' failed/u,
  /\brename (\S+) \S+: invalid cross-device link/u,
]

/** The absolute path of the folder that a program in `cwd` could not rename, from its output. Null if the output does not name it. */
export function folderToRename(text: string, cwd: string): string | null {
  const named = FOLDERS.map((pattern) => pattern.exec(text)?.[1]).find((path) => path !== undefined)
  if (named === undefined) return null
  return isAbsolute(named) ? named : resolve(cwd, named)
}
