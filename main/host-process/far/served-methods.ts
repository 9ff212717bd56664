import type { ComparedFile, FolderComparison } from '../../agent/ports/folder-comparison.ts'
import { EnvironmentFailure } from '../../environment/environment-failure.ts'
import type { OpenedProgram } from '../../agent/ports/opened-program.ts'
import type { LocalExecutionEnvironment } from '../../environment/local-environment.ts'
import { findRipgrep } from '../../environment/search/ripgrep/ripgrep.ts'
import type { LocalShell } from '../../environment/shell/lasting-shell.ts'
import type { ArgsOf, Method, ValueOf, Want } from '../wire/methods.ts'
import type { ServedCommand } from './serve-command.ts'

/** One call of the near side. */
interface ServedCall {
  readonly id: number
  /** The raw bytes that came with the call. */
  readonly bytes: Buffer
  readonly signal: AbortSignal
  /** Sends raw bytes of the answer. Resolves when the next ones may be sent. */
  readonly answer: (bytes: Uint8Array) => Promise<void>
  /** Registers a command, so that the near side can type, resize and say what it has processed. */
  readonly command: (wants: readonly Want[]) => ServedCommand
  /** Registers an opened program. Resolves when it and its output have ended. */
  readonly program: (opened: OpenedProgram) => Promise<void>
}

export type ServedMethods = { readonly [M in Method]: (args: ArgsOf<M>, call: ServedCall) => Promise<ValueOf<M>> }

/** Each call, served by the environment of this machine. `onShellEnd` is called when a shell’s process has ended. */
export function servedMethods(
  env: LocalExecutionEnvironment,
  comparison: FolderComparison,
  onShellEnd: (shell: number) => void,
): ServedMethods {
  return { ...filesOf(env), ...programsOf(env), ...shellsOf(env, onShellEnd), ...comparisonOf(comparison) }
}

type FileMethod = Exclude<Method, ProgramMethod | ShellMethod | ComparisonMethod>
type ProgramMethod = 'spawn' | 'open' | 'execCommand' | 'grep' | 'glob' | 'initialize' | 'cleanup'
type ComparisonMethod = 'prepareComparison' | 'beginComparison' | 'endComparison' | 'dropComparison'
type ShellMethod = 'openShell' | 'runInShell' | 'closeShell'

function filesOf(env: LocalExecutionEnvironment): Pick<ServedMethods, FileMethod> {
  const done = (work: Promise<void>): Promise<null> => work.then(() => null)
  return {
    readFile: ({ path, offset, limit }) => env.readFile(path, offset, limit),
    deleteFile: ({ path }) => done(env.deleteFile(path)),
    fileExists: ({ path }) => env.fileExists(path),
    listDirectory: ({ path, depth, options }) => env.listDirectory(path, depth, options),
    async readBytes({ path, options }, { signal, answer }) {
      await answer(await env.readBytes(path, { ...options, signal, take: answer }))
      return null
    },
    async writeBytes({ path, expected, options }, { bytes }) {
      const length = expected ?? 0
      const before = expected === undefined ? {} : { expected: expected === null ? null : bytes.subarray(0, length) }
      await env.writeBytes(path, bytes.subarray(length), { ...options, ...before })
      return null
    },
    stat: ({ path }) => env.stat(path),
    lstat: ({ path }) => env.lstat(path),
    realpath: ({ path }) => env.realpath(path),
    readlink: ({ path }) => env.readlink(path),
    symlink: ({ target, path }) => done(env.symlink(target, path)),
    rename: ({ from, to }) => done(env.rename(from, to)),
    setMode: ({ path, mode }) => done(env.setMode(path, mode)),
    createFolder: ({ path, mode }) => done(env.createFolder(path, mode)),
    removeFolder: ({ path }) => done(env.removeFolder(path)),
  }
}

function programsOf(env: LocalExecutionEnvironment): Pick<ServedMethods, ProgramMethod> {
  return {
    grep: ({ pattern, path, options }, { signal }) => env.grep(pattern, path, { ...options, signal }),
    glob: ({ pattern, path, options }, { signal }) => env.glob(pattern, path, { ...options, signal }),
    async initialize() {
      await env.initialize()
      return null
    },
    async cleanup() {
      await env.cleanup()
      return null
    },
    async spawn({ argv, hasInput, options }, { bytes, signal, answer }) {
      const [named, ...more] = argv
      const program = named === 'rg' ? ((await findRipgrep()) ?? named) : named
      const { stdout, ...ended } = await env.spawn([program, ...more], { ...options, signal, ...(hasInput && { input: bytes }) })
      await answer(stdout)
      return ended
    },
    async open({ argv, options }, { signal, program }) {
      const [name, ...more] = argv
      await program(await env.open([name, ...more], { ...options, signal }))
      return null
    },
    async execCommand({ command, wants, options: { terminal, ...options } }, call) {
      const served = call.command(wants)
      const { onTerminal, ...heard } = served.options
      const opened = terminal && { terminal: { ...terminal, onOpen: onTerminal } }
      return env.execCommand(command, { ...options, ...heard, ...opened })
    },
  }
}

function shellsOf(env: LocalExecutionEnvironment, onShellEnd: (shell: number) => void): Pick<ServedMethods, ShellMethod> {
  const shells = new Map<number, LocalShell>()
  return {
    async openShell({ options }, { id }) {
      const shell = await env.openShell(options)
      shells.set(id, shell)
      void shell.ended.then(() => onShellEnd(id))
      return { cwd: shell.workingDirectory() }
    },
    async runInShell({ shell: id, command, wants, options }, call) {
      const shell = shells.get(id)
      if (!shell) throw new EnvironmentFailure('ESHELLENDED', 'The shell has ended.')
      const result = await shell.run(command, { ...options, ...call.command(wants).options })
      return { ...result, cwd: shell.workingDirectory() }
    },
    async closeShell({ shell: id }) {
      await shells.get(id)?.close()
      shells.delete(id)
      return null
    },
  }
}

function comparisonOf(comparison: FolderComparison): Pick<ServedMethods, ComparisonMethod> {
  const runs = new Map<number, Awaited<ReturnType<FolderComparison['begin']>>>()
  const sized = (file: ComparedFile) => file && { bytes: file.bytes.length, mode: file.mode }
  return {
    prepareComparison() {
      comparison.prepare()
      return Promise.resolve(null)
    },
    async beginComparison(_, { id }) {
      runs.set(id, await comparison.begin())
      return null
    },
    async endComparison({ run: id }, { answer }) {
      const run = runs.get(id)
      if (!run) throw new EnvironmentFailure('EINVAL', 'No such comparison has begun.')
      runs.delete(id)
      const { changes, ...found } = await run.end()
      for (const { before, after } of changes) for (const file of [before, after]) if (file) await answer(file.bytes)
      return { ...found, changes: changes.map(({ path, before, after }) => ({ path, before: sized(before), after: sized(after) })) }
    },
    dropComparison({ run: id }) {
      runs.get(id)?.drop()
      runs.delete(id)
      return Promise.resolve(null)
    },
  }
}
