import type { Confinement, ExecutionEnvironment, LastingShell } from '../../agent/ports/execution-environment.ts'
import type { ComparedFile, FolderComparison } from '../../agent/ports/folder-comparison.ts'
import { EnvironmentFailure } from '../../environment/environment-failure.ts'
import { findRipgrep } from '../../environment/search/ripgrep/ripgrep.ts'
import type { ProgramPorts } from '../../agent/ports/opened-program.ts'
import type { ENVIRONMENT_METHODS } from '../wire/environment-methods.ts'
import { copiesOf } from './serve-copies.ts'
import { layersOf } from './serve-layers.ts'
import { factsOf, lookAt } from './look-at.ts'
import { done, found, type ServedMethods, type ServedSite } from './served-call.ts'

/** The implementations of all calls for a folder or a layer. */
export function servedMethods(site: ServedSite): ServedMethods {
  const { environment, comparison } = site
  return {
    ...filesOf(environment),
    ...programsOf(site),
    ...shellsOf(site),
    ...comparisonOf(comparison),
    ...copiesOf(site),
    ...layersOf(site),
    ...portsOf(environment),
  }
}

type FileMethod = Exclude<keyof typeof ENVIRONMENT_METHODS, ProgramMethod | ShellMethod | ComparisonMethod | PortMethod>
type ProgramMethod = 'spawn' | 'open' | 'execCommand' | 'grep' | 'glob' | 'initialize' | 'cleanup'
type ComparisonMethod = 'prepareComparison' | 'beginComparison' | 'endComparison' | 'dropComparison'
type PortMethod = 'listeningPorts' | 'dialPort'
type ShellMethod = 'openShell' | 'runInShell' | 'closeShell'

function filesOf(env: ExecutionEnvironment): Pick<ServedMethods, FileMethod> {
  return {
    readFile: ({ path, offset, limit }) => env.readFile(path, offset, limit),
    deleteFile: ({ path }) => done(env.deleteFile(path)),
    fileExists: ({ path }) => env.fileExists(path),
    listDirectory: ({ path, depth, options }) => env.listDirectory(path, depth, options),
    async readBytes({ path, options }, { signal, answer }) {
      await answer(await env.readBytes(path, { ...options, signal, take: answer }))
      return null
    },
    look: ({ paths, read }, { answer }) => lookAt(env, paths, new Set(read), answer),
    async writeBytes({ path, expected, options, looks }, { bytes }) {
      const length = expected ?? 0
      const before = expected === undefined ? {} : { expected: expected === null ? null : bytes.subarray(0, length) }
      await env.writeBytes(path, bytes.subarray(length), { ...options, ...before })
      return looks ? factsOf(env, path) : null
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

/** The option for the confinement that an earlier call created. */
const confinedBy = ({ objects }: ServedSite, id: number | undefined): { readonly confinement?: Confinement } =>
  id === undefined ? {} : { confinement: found(objects.confined, id) }

function programsOf(site: ServedSite): Pick<ServedMethods, ProgramMethod> {
  const env = site.environment
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
    async spawn({ argv, hasInput, options: { confined, ...options } }, { bytes, signal, answer }) {
      const [named, ...more] = argv
      const program = named === 'rg' ? ((await findRipgrep()) ?? named) : named
      const { stdout, ...ended } = await env.spawn([program, ...more], {
        ...options,
        ...confinedBy(site, confined),
        signal,
        ...(hasInput && { input: bytes }),
      })
      await answer(stdout)
      return ended
    },
    async open({ argv, options: { confined, ...options } }, { signal, program }) {
      const [name, ...more] = argv
      await program(await env.open([name, ...more], { ...options, ...confinedBy(site, confined), signal }))
      return null
    },
    async execCommand({ command, wants, options: { terminal, confined, ...options } }, call) {
      const served = call.command(wants)
      const { onTerminal, ...heard } = served.options
      const opened = terminal && { terminal: { ...terminal, onOpen: onTerminal } }
      return env.execCommand(command, { ...options, ...confinedBy(site, confined), ...heard, ...opened })
    },
  }
}

function shellsOf(site: ServedSite): Pick<ServedMethods, ShellMethod> {
  const shells = new Map<number, LastingShell>()
  return {
    async openShell({ options: { confined, ...options } }, { id }) {
      const shell = await site.environment.openShell({ ...options, ...confinedBy(site, confined) })
      shells.set(id, shell)
      void shell.ended.then(() => site.onShellEnd(id))
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

function portsOf(env: ExecutionEnvironment): Pick<ServedMethods, PortMethod> {
  const ports = (): ProgramPorts => {
    if (env.ports) return env.ports
    throw new EnvironmentFailure('ENOTSUP', 'Ports cannot be reached here (ENOTSUP).')
  }
  return {
    listeningPorts: async () => [...(await ports().listening())],
    async dialPort({ port }, { signal, program }) {
      await program(await ports().dial(port, signal))
      return null
    },
  }
}
