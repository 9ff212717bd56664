import { resolve } from 'node:path'
import type { ExecutionEnvironment } from '../../agent/ports/execution-environment.ts'
import type { ProgramPorts } from '../../agent/ports/opened-program.ts'
import { codeOf } from '../../environment/environment-failure.ts'
import { isInside } from '../../is-inside.ts'
import type { RenamableFolders } from './renamable-folders.ts'
import type { RunningPrograms } from './running-programs.ts'

interface LayerEnvironmentParts {
  /** The real path of the project folder. */
  readonly folder: string
  /** The environment of this machine, which has everything outside the folder. */
  readonly machine: ExecutionEnvironment
  /** What serves the folder. Starts it if it does not run. Called before each call. */
  current(): Promise<ExecutionEnvironment>
  /** The same for a call that only reads. */
  reading(): Promise<ExecutionEnvironment>
  /** The same for a call that starts a program. */
  forProgram(): Promise<ExecutionEnvironment>
  readonly renamable: RenamableFolders
  readonly programs: RunningPrograms
  /** Called after each change in the layer, because the base version of a file can be read only until the folder changes. */
  onWritten(): Promise<void>
  /** Ports inside the layer. */
  readonly ports: ProgramPorts
  /** Ends what serves the folder. */
  end(): Promise<void>
}

/**
 * An environment whose folder and programs are served by something that starts with the first call and may be started again. Files outside
 * the folder are this machine's, as for every session: what programs see there is not all that the user may sign.
 */
export function layerEnvironment({
  folder,
  machine,
  current,
  reading,
  forProgram,
  renamable,
  programs,
  onWritten,
  ports,
  end,
}: LayerEnvironmentParts): ExecutionEnvironment {
  const isOurs = (path: string): boolean => path.includes('\0') || isInside(folder, resolve(folder, path))
  const toRead = async (path: string): Promise<ExecutionEnvironment> => (isOurs(path) ? reading() : machine)
  /** A read changes nothing, so it is repeated if what served it was killed meanwhile. */
  const read = async <T>(path: string, work: (env: ExecutionEnvironment) => Promise<T>): Promise<T> => {
    try {
      return await work(await toRead(path))
    } catch (error) {
      if (codeOf(error) !== 'ELOST') throw error
      return work(await toRead(path))
    }
  }
  const write = async <T>(path: string, work: (env: ExecutionEnvironment) => Promise<T>): Promise<T> => {
    if (!isOurs(path)) return work(machine)
    const result = await work(await current())
    await onWritten()
    return result
  }
  const renamed = async (env: ExecutionEnvironment, from: string, to: string): Promise<void> => {
    try {
      await env.rename(from, to)
    } catch (error) {
      if (codeOf(error) !== 'EXDEV' || !(await renamable.make(from))) throw error
      await env.rename(from, to)
    }
  }
  return {
    readFile: (path, offset, limit) => read(path, (env) => env.readFile(path, offset, limit)),
    writeFile: (path, content) => write(path, (env) => env.writeFile(path, content)),
    deleteFile: (path) => write(path, (env) => env.deleteFile(path)),
    fileExists: (path) => read(path, (env) => env.fileExists(path)),
    listDirectory: (path, depth, options) => read(path, (env) => env.listDirectory(path, depth, options)),
    async execCommand(command, options) {
      const env = await forProgram()
      return programs.during(command, env.execCommand(command, options))
    },
    async openShell(options) {
      const shell = await (await forProgram()).openShell(options)
      programs.add('the shell, with its folder and variables', shell.isAlive)
      return shell
    },
    grep: (pattern, path, options) => read(path, (env) => env.grep(pattern, path, options)),
    glob: (pattern, path, options) => read(path, (env) => env.glob(pattern, path, options)),
    ports,
    initialize: async () => (await current()).initialize(),
    cleanup: async () => {
      await end()
      await machine.cleanup()
    },
    workingDirectory: () => folder,
    platform: () => machine.platform(),
    osVersion: () => machine.osVersion(),
    // The caller may have taken some pieces already.
    readBytes: async (path, options) =>
      options?.take ? (await toRead(path)).readBytes(path, options) : read(path, (env) => env.readBytes(path, options)),
    writeBytes: (path, bytes, options) => write(path, (env) => env.writeBytes(path, bytes, options)),
    stat: (path) => read(path, (env) => env.stat(path)),
    lstat: (path) => read(path, (env) => env.lstat(path)),
    realpath: (path) => read(path, (env) => env.realpath(path)),
    readlink: (path) => read(path, (env) => env.readlink(path)),
    symlink: (target, path) => write(path, (env) => env.symlink(target, path)),
    rename: (from, to) => write(from, (env) => renamed(env, from, to)),
    setMode: (path, mode) => write(path, (env) => env.setMode(path, mode)),
    createFolder: (path, mode) => write(path, (env) => env.createFolder(path, mode)),
    removeFolder: (path) => write(path, (env) => env.removeFolder(path)),
    spawn: async (argv, options) => (await (options?.onlyReads ? reading() : forProgram())).spawn(argv, options),
    async open(argv, options) {
      const program = await (await forProgram()).open(argv, options)
      void programs.during(argv.join(' '), program.ended)
      return program
    },
  }
}
