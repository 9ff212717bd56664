import { isAbsolute } from 'node:path'
import type { Confinement, ExecutionEnvironment } from '../../agent/ports/execution-environment.ts'
import { isInside } from '../../is-inside.ts'

export interface Mapping {
  /** The real path of the project folder, which callers use. */
  readonly folder: string
  /** The real path of the copy, in which the work is done. */
  readonly tree: string
  /** Whether the folder's path is also replaced in command lines, because nothing else keeps commands out of the folder. */
  readonly mapsCommands?: boolean
  /** Confines commands and programs for which the caller sets no other confinement. */
  readonly confinement?: Confinement | null
}

/**
 * An environment that works in `tree` while callers use paths in `folder`. In arguments, paths inside the folder are replaced. In results
 * and messages, paths inside the tree are replaced. `env` is the environment of the tree. Other paths are the same in both.
 */
export function mappedEnvironment(
  env: ExecutionEnvironment,
  { folder, tree, mapsCommands = false, confinement = null }: Mapping,
): ExecutionEnvironment {
  const at = (path: string): string => (isAbsolute(path) && isInside(folder, path) ? tree + path.slice(folder.length) : path)
  const named = (path: string): string => (isInside(tree, path) ? folder + path.slice(tree.length) : path)
  const line = mapsCommands ? replacedIn({ folder, tree }) : (command: string): string => command
  const from = <O extends { readonly workingDir?: string; readonly confinement?: Confinement }>(options: O = {} as O): O => ({
    ...(confinement && { confinement }),
    ...options,
    ...(options.workingDir !== undefined && { workingDir: at(options.workingDir) }),
  })
  const said = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (error instanceof Error && error.message.includes(tree)) error.message = error.message.replaceAll(tree, folder)
      throw error
    }
  }
  return {
    readFile: (path, offset, limit) => said(() => env.readFile(at(path), offset, limit)),
    writeFile: (path, content) => said(() => env.writeFile(at(path), content)),
    deleteFile: (path) => said(() => env.deleteFile(at(path))),
    fileExists: (path) => said(() => env.fileExists(at(path))),
    listDirectory: (path, depth, options) => said(() => env.listDirectory(at(path), depth, options)),
    execCommand: (command, options) => said(() => env.execCommand(line(command), from(options))),
    openShell: async (options) => {
      const shell = await said(() => env.openShell(from(options)))
      return { ...shell, run: (command, run) => shell.run(line(command), run), workingDirectory: () => named(shell.workingDirectory()) }
    },
    grep: (pattern, path, options) => said(() => env.grep(pattern, at(path), options)),
    glob: (pattern, path, options) => said(() => env.glob(pattern, at(path), options)),
    initialize: () => said(() => env.initialize()),
    cleanup: () => env.cleanup(),
    workingDirectory: () => folder,
    platform: () => env.platform(),
    osVersion: () => env.osVersion(),
    readBytes: (path, options) => said(() => env.readBytes(at(path), options)),
    writeBytes: (path, bytes, options) => said(() => env.writeBytes(at(path), bytes, options)),
    stat: (path) => said(() => env.stat(at(path))),
    lstat: (path) => said(() => env.lstat(at(path))),
    realpath: async (path) => {
      const real = await said(() => env.realpath(at(path)))
      // A link with an absolute target refers to the project folder, of which this tree is a copy.
      return named(isInside(folder, real) ? await said(() => env.realpath(at(real))) : real)
    },
    readlink: (path) => said(() => env.readlink(at(path))),
    symlink: (target, path) => said(() => env.symlink(target, at(path))),
    rename: (before, after) => said(() => env.rename(at(before), at(after))),
    setMode: (path, mode) => said(() => env.setMode(at(path), mode)),
    createFolder: (path, mode) => said(() => env.createFolder(at(path), mode)),
    removeFolder: (path) => said(() => env.removeFolder(at(path))),
    spawn: (argv, options) => said(() => env.spawn(argv, from(options))),
    open: (argv, options) => said(() => env.open(argv, from(options))),
  }
}

/** Replaces the folder's path wherever it appears in a text, alone or as the start of a longer path. */
const replacedIn = ({ folder, tree }: Mapping): ((text: string) => string) => {
  const literal = folder.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`)
  const path = new RegExp(`(?<![\\w./-])${literal}(?![\\w.-])`, 'gu')
  return (text) => text.replaceAll(path, () => tree)
}
