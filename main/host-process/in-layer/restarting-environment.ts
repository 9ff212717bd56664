import { release } from 'node:os'
import type { ExecutionEnvironment } from '../../agent/ports/execution-environment.ts'

interface RestartParts {
  /** The working directory. */
  readonly folder: string
  /** Returns what serves a call, and starts it if it does not run. Called before each call. */
  current(): Promise<ExecutionEnvironment>
  /** As `current`, before a program is started. */
  forProgram(): Promise<ExecutionEnvironment>
  /** Ends what serves the calls. */
  end(): Promise<void>
}

/** An environment on this machine that is served by something that starts with the first call and may be started again. */
export function restartingEnvironment({ folder, current, forProgram, end }: RestartParts): ExecutionEnvironment {
  return {
    readFile: async (path, offset, limit) => (await current()).readFile(path, offset, limit),
    writeFile: async (path, content) => (await current()).writeFile(path, content),
    deleteFile: async (path) => (await current()).deleteFile(path),
    fileExists: async (path) => (await current()).fileExists(path),
    listDirectory: async (path, depth, options) => (await current()).listDirectory(path, depth, options),
    execCommand: async (command, options) => (await forProgram()).execCommand(command, options),
    openShell: async (options) => (await forProgram()).openShell(options),
    grep: async (pattern, path, options) => (await current()).grep(pattern, path, options),
    glob: async (pattern, path, options) => (await current()).glob(pattern, path, options),
    initialize: async () => (await current()).initialize(),
    cleanup: end,
    workingDirectory: () => folder,
    platform: () => process.platform,
    osVersion: () => release(),
    readBytes: async (path, options) => (await current()).readBytes(path, options),
    writeBytes: async (path, bytes, options) => (await current()).writeBytes(path, bytes, options),
    stat: async (path) => (await current()).stat(path),
    lstat: async (path) => (await current()).lstat(path),
    realpath: async (path) => (await current()).realpath(path),
    readlink: async (path) => (await current()).readlink(path),
    symlink: async (target, path) => (await current()).symlink(target, path),
    rename: async (from, to) => (await current()).rename(from, to),
    setMode: async (path, mode) => (await current()).setMode(path, mode),
    createFolder: async (path, mode) => (await current()).createFolder(path, mode),
    removeFolder: async (path) => (await current()).removeFolder(path),
    spawn: async (argv, options) => (await forProgram()).spawn(argv, options),
  }
}
