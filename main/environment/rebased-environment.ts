import { resolve } from 'node:path'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'

/** The same environment seen from another folder (a real path): relative paths and commands without a folder start in that folder. */
export function rebasedEnvironment(env: ExecutionEnvironment, folder: string): ExecutionEnvironment {
  // Invalid paths are passed on, so that the environment rejects them with its own message.
  const at = (path: string): string => (path === '' || path.includes('\0') ? path : resolve(folder, path))
  const from = <O extends { readonly workingDir?: string }>(options: O | undefined): O & { readonly workingDir: string } =>
    ({ ...options, workingDir: at(options?.workingDir ?? '.') }) as O & { readonly workingDir: string }
  return {
    readFile: (path, offset, limit) => env.readFile(at(path), offset, limit),
    writeFile: (path, content) => env.writeFile(at(path), content),
    deleteFile: (path) => env.deleteFile(at(path)),
    fileExists: (path) => env.fileExists(at(path)),
    listDirectory: (path, depth, options) => env.listDirectory(at(path), depth, options),
    execCommand: (command, options) => env.execCommand(command, from(options)),
    openShell: (options) => env.openShell(from(options)),
    grep: (pattern, path, options) => env.grep(pattern, at(path), options),
    glob: (pattern, path, options) => env.glob(pattern, at(path), options),
    initialize: () => env.initialize(),
    cleanup: () => env.cleanup(),
    workingDirectory: () => folder,
    platform: () => env.platform(),
    osVersion: () => env.osVersion(),
    readBytes: (path, options) => env.readBytes(at(path), options),
    writeBytes: (path, bytes, options) => env.writeBytes(at(path), bytes, options),
    stat: (path) => env.stat(at(path)),
    lstat: (path) => env.lstat(at(path)),
    realpath: (path) => env.realpath(at(path)),
    readlink: (path) => env.readlink(at(path)),
    symlink: (target, path) => env.symlink(target, at(path)),
    rename: (before, after) => env.rename(at(before), at(after)),
    setMode: (path, mode) => env.setMode(at(path), mode),
    createFolder: (path, mode) => env.createFolder(at(path), mode),
    removeFolder: (path) => env.removeFolder(at(path)),
    spawn: (argv, options) => env.spawn(argv, from(options)),
    open: (argv, options) => env.open(argv, from(options)),
  }
}
