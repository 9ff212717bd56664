import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { disposable } from '../../../shared/lib/disposable.ts'
import type { TrafficWatch } from '../../agent/ports/command-copies.ts'
import type { ExecutionEnvironment } from '../../agent/ports/execution-environment.ts'
import type { CommandsInLayer } from '../../agent/ports/layers.ts'
import type { Redactor } from '../../agent/ports/redactor.ts'
import { PROXY_PORT } from '../../environment/copy/start/launch.ts'
import { commandEnvironment } from '../../environment/env-policy.ts'
import { launchEnvironment } from '../../environment/launch-environment.ts'
import type { RunningInLayer } from '../../environment/layers/overlay/running-in-layer.ts'
import type { LayerStart } from '../../environment/layers/overlay/start-in-layer.ts'
import { launchVariables } from '../../environment/shell-variables/complete-from-shell.ts'
import { hostProgramFile } from '../host-program-file.ts'
import type { HostChild } from '../near/host-child.ts'
import { localHost } from '../near/local-host.ts'
import { type HostProcess, type HostStart, startHostProcess } from '../near/start-host-process.ts'
import { createHostQuestions } from './host-questions.ts'
import { renamableFolders } from './renamable-folders.ts'
import { createRunningPrograms } from './running-programs.ts'
import { whyFailedIn } from './why-failed.ts'
import { layerEnvironment } from './layer-environment.ts'
import { portsIfRunning } from '../ports-if-running.ts'

/** A layer that has been used within this time (ms) is taken to show the folder as it is. The check takes about 20 ms. */
const FRESH_MS = 1_000

export interface HostInLayerParts {
  /** The real path of the project folder. */
  readonly folder: string
  /** The environment of this machine, in the folder. */
  readonly machine: ExecutionEnvironment
  readonly redactor: Redactor
  /** Whether the layer contains exactly what is in the folder. */
  isUntouched(): Promise<boolean>
  /** Starts a program in the layer. */
  start(argv: readonly [string, ...string[]], start: LayerStart): Promise<RunningInLayer>
  /** Makes the layer show what was replaced in the folder. */
  refresh(): Promise<void>
  /** Makes the folder at this relative path renamable for programs in the layer. */
  makeWhole(path: string): Promise<void>
  /** Records the base versions of the files that were changed in the layer. */
  mark(): Promise<void>
  /** Further folders that programs in the layer may read. */
  readonly visible: readonly string[]
  /** Further folders and files that programs in the layer may change. */
  readonly writable: readonly string[]
  /** Variables that are passed on although they look like secrets. */
  allowVariables(): readonly string[]
  /** Patterns of files that programs may not read. */
  denied(): readonly string[]
  /** The files that these patterns deny at the moment. */
  deniedPaths(patterns: readonly string[]): Promise<readonly string[]>
}

interface Running {
  readonly host: HostProcess
  /** What the host process was started with. If it differs now, programs would see too much or too little. */
  readonly facts: string
}

/** The environment of a layer: a host process that stands in the layer serves it. It starts with the first call, and again if it has ended. */
export function hostInLayer(
  parts: HostInLayerParts,
): { readonly environment: ExecutionEnvironment } & Pick<CommandsInLayer, 'begin' | 'takeEnded' | 'forward' | 'watch' | 'whyFailed'> {
  let running: Promise<Running> | null = null
  /** Resolves when the last host process has ended. Only one program at a time can hold the layer's mount. */
  let ending: Promise<void> = Promise.resolve()
  /** Whether what is read now may be read in the folder itself, because the layer is untouched and nothing runs in it yet. */
  let readsFolder: Promise<boolean> | null = null
  let usedAt = -FRESH_MS
  const programs = createRunningPrograms()
  let endedByRules: readonly string[] = []
  const forwarded = new Set<number>()
  const questions = createHostQuestions((waits) => void running?.then(({ host }) => host.hold(waits)).catch(() => {}))
  const traffic = followTraffic()
  const begin = (): Promise<Running> => {
    const begun = ending.then(() => started(parts, { onHost: questions.onHost, traffic: traffic.current }))
    running = begun
    const forget = (): void => {
      if (running === begun) running = null
    }
    const isOver = (): void => {
      readsFolder = null
    }
    forwarded.clear()
    begun.then(isOver, isOver)
    begun.then(({ host }) => host.ended.then(forget), forget)
    usedAt = performance.now()
    return begun
  }
  const current = async (): Promise<Running> => {
    if (running === null) return begin()
    const found = await running
    const isStale = performance.now() - usedAt > FRESH_MS
    usedAt = performance.now()
    if (isStale) await parts.refresh()
    return found
  }
  const reading = async (): Promise<ExecutionEnvironment> => {
    if (running === null) readsFolder ??= parts.isUntouched()
    if (!(await readsFolder)) return (await current()).host.environment
    // Nobody waits for the start, and its failure is the failure of the first call that needs it.
    if (running === null) begin().catch(() => {})
    return parts.machine
  }
  const end = async (): Promise<void> => {
    const last = running
    running = null
    readsFolder = null
    const ended = ending.then(async () => (await last?.catch(() => null))?.host.close())
    ending = ended.catch(() => {})
    await ended
  }
  const forProgram = async (): Promise<Running> => {
    const found = await current()
    if (found.facts === (await factsNow(parts))) return found
    if (running !== null && (await running) === found) {
      endedByRules = [...endedByRules, ...programs.names()]
      await end()
    }
    return current()
  }
  const inside = async (): Promise<ExecutionEnvironment> => (await current()).host.environment
  const renamable = renamableFolders({ folder: parts.folder, environment: inside, makeWhole: parts.makeWhole })
  return {
    whyFailed: whyFailedIn(renamable),
    environment: layerEnvironment({
      folder: parts.folder,
      machine: parts.machine,
      reading,
      current: inside,
      renamable,
      programs,
      forProgram: async () => (await forProgram()).host.environment,
      ports: portsIfRunning(() => running?.then(({ host }) => host.environment) ?? null, forwarded),
      // If this fails, a later change to the file in the folder shows up as a conflict at bring-in.
      onWritten: () => parts.mark().catch(() => {}),
      end,
    }),
    async begin(onHost, { keepsRunning } = { keepsRunning: false }) {
      await (keepsRunning ? current() : forProgram())
      return questions.decide(onHost)
    },
    takeEnded() {
      const ended = endedByRules
      endedByRules = []
      return ended
    },
    watch: traffic.watch,
    async forward(port) {
      const { host } = await forProgram()
      questions.allow({ host: 'localhost', port })
      forwarded.add(port)
      // If something in the layer listens on the port already, programs reach that.
      await host.environment.execCommand(forwarding(port), { timeoutMs: FORWARD_MS })
    },
  }
}

/** The newest watch of a layer's traffic that was not disposed of. */
function followTraffic() {
  let watching: TrafficWatch | null = null
  return {
    current: () => watching,
    watch(traffic: TrafficWatch) {
      watching = traffic
      return disposable(() => {
        if (watching === traffic) watching = null
      })
    },
  }
}

/** Maximum time in ms until a port is forwarded. */
const FORWARD_MS = 5_000

/**
 * Passes connections on to the port through the layer's proxy, which is the only way out. Ends when the port can be used. What it leaves
 * running ends with the layer.
 */
const forwarding = (port: number): string => `
(socat TCP4-LISTEN:${port},bind=127.0.0.1,fork,reuseaddr PROXY:127.0.0.1:localhost:${port},proxyport=${PROXY_PORT} </dev/null >/dev/null 2>&1 &)
printf -v listening ':%04X ' ${port}
until [[ $(</proc/net/tcp) == *$listening* ]]; do sleep 0.01; done
`

/** The variable with which Node's own clients use the proxy. */
const NODE_PROXY = 'NODE_USE_ENV_PROXY'

async function started(parts: HostInLayerParts, ways: Pick<LayerStart, 'onHost' | 'traffic'>): Promise<Running> {
  const { folder, redactor, denied, visible, writable, allowVariables } = parts
  const [facts, node] = await Promise.all([factsNow(parts), localHost(), launchVariables()])
  const program = await parts.start(node.argv, {
    env: {
      ...commandEnvironment(launchEnvironment(), { policy: 'inherit_core', allow: allowVariables }),
      ...node.env,
      // The host process itself uses no network, and starts faster without Node's proxy.
      [NODE_PROXY]: '0',
    },
    visible: [...ownFiles(hostProgramFile()), node.argv[0], ...visible],
    writable,
    denied: denied(),
    ...ways,
  })
  const host = await servedBy(program, {
    build: node.build,
    folder,
    // Everything that it starts ends with the layer, so a crash leaves nothing behind.
    data: null,
    options: { allowVariables: [...allowVariables()], isConfined: true },
    variables: { [NODE_PROXY]: '1' },
    redactor,
  })
  return { host, facts }
}

async function servedBy(program: RunningInLayer, start: Omit<HostStart, 'start'>): Promise<HostProcess> {
  try {
    return await startHostProcess({ ...start, start: () => asChild(program) })
  } catch (error) {
    await program.close()
    throw error
  }
}

async function factsNow({ denied, deniedPaths, allowVariables }: HostInLayerParts): Promise<string> {
  const patterns = denied()
  return JSON.stringify([allowVariables(), patterns, patterns.length === 0 ? [] : await deniedPaths(patterns)])
}

function asChild({ stdin, stdout, stderr, ended, close }: RunningInLayer): HostChild {
  return {
    stdin,
    stdout,
    stderr,
    kill() {
      void close()
      return true
    },
    once(event: 'error' | 'close', listener: (...args: never) => void) {
      const onClose = listener as (code: number | null, signal: string | null) => void
      if (event === 'close') void ended.then((code) => onClose(code, code === null ? 'SIGKILL' : null))
    },
  }
}

/** What a host process reads of this installation, which may be in a folder that programs otherwise do not see. */
function ownFiles(file: URL): readonly string[] {
  const path = fileURLToPath(file)
  const above = dirname(dirname(path))
  const isSource = path.endsWith('.ts')
  const root = dirname(above)
  if (isSource) return ['main', 'shared', 'node_modules', 'package.json'].map((name) => join(root, name))
  // npm may install our dependencies beside our own package.
  const [, beside] = /^(.*[\\/]node_modules)[\\/]/u.exec(path) ?? []
  return [dirname(path), ...['node_modules', 'package.json'].map((name) => join(root, name)), ...(beside === undefined ? [] : [beside])]
}
