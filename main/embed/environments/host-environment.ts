import type * as ports from '../../agent/ports/execution-environment.ts'
import { EnvironmentFailure } from '../../environment/environment-failure.ts'
import { badOption } from '../agent-error.ts'
import type { ExecutionEnvironment, HostEnvironment } from './environment-types.ts'
import { filesByCommands } from './files-by-commands.ts'
import { environmentBehind } from './public-environment.ts'

const MEMBERS: readonly (keyof ExecutionEnvironment)[] = [
  ...(['readFile', 'writeFile', 'deleteFile', 'fileExists', 'listDirectory', 'execCommand', 'grep', 'glob'] as const),
  ...(['initialize', 'cleanup', 'workingDirectory', 'platform', 'osVersion'] as const),
]

/**
 * Converts a host's environment to the form that Countersign's tools need. Members that the specification does not define are emulated with
 * POSIX commands if they are missing.
 */
export function hostEnvironment(host: HostEnvironment): ports.ExecutionEnvironment {
  const missing = MEMBERS.filter((name) => typeof (host as Partial<HostEnvironment> | null)?.[name] !== 'function')
  if (missing.length > 0)
    throw badOption(`The environment lacks ${missing.join(', ')}.`, 'Give an object with all members of ExecutionEnvironment.')
  return environmentBehind(host, () => ({
    ...filesByCommands(host),
    ...ownRawMembers(host),
    readFile: (path, offset, limit) => host.readFile(path, offset, limit),
    writeFile: (path, content) => host.writeFile(path, content),
    deleteFile: (path) => host.deleteFile(path),
    fileExists: (path) => host.fileExists(path),
    listDirectory: (path, depth) => host.listDirectory(path, depth),
    execCommand: (command, options) => executed(host, command, options),
    grep: (pattern, path, options) => searched(host, pattern, path, options),
    async glob(pattern, path, { maxResults = Infinity } = {}) {
      const paths = await host.glob(pattern, path)
      return { paths: paths.slice(0, maxResults), total: paths.length }
    },
    initialize: () => host.initialize(),
    cleanup: () => host.cleanup(),
    workingDirectory: () => host.workingDirectory(),
    platform: () => host.platform(),
    osVersion: () => host.osVersion(),
  }))
}

const RAW = [
  ...(['readBytes', 'writeBytes', 'stat', 'lstat', 'realpath', 'readlink', 'symlink', 'rename', 'setMode'] as const),
  ...(['createFolder', 'removeFolder', 'spawn', 'openShell'] as const),
]

function ownRawMembers(host: HostEnvironment): Partial<ports.ExecutionEnvironment> {
  return Object.fromEntries(RAW.flatMap((name) => (typeof host[name] === 'function' ? [[name, host[name].bind(host)]] : [])))
}

/** Maximum number of characters of output that are shown while a command runs. */
const TAIL = 2_000

async function executed(host: HostEnvironment, command: string, options: ports.ExecOptions = {}): Promise<ports.ExecResult> {
  const { timeoutMs, workingDir, envVars, signal, onOutput, onProgress } = options
  let tail = ''
  let bytes = 0
  const heard: ports.ExecOptions['onOutput'] = (chunk) => {
    onOutput?.(chunk)
    bytes += Buffer.byteLength(chunk.text)
    tail = (tail + chunk.text).slice(-TAIL)
    onProgress?.(tail, bytes)
  }
  const result = await host.execCommand(command, timeoutMs, workingDir, envVars, { onOutput: heard, ...(signal && { signal }) })
  options.spoolText?.(Buffer.from(result.stdout + result.stderr))
  return {
    ...result,
    signal: null,
    aborted: signal?.aborted ?? false,
    bytes: Buffer.byteLength(result.stdout) + Buffer.byteLength(result.stderr),
    complete: true,
  }
}

async function searched(host: HostEnvironment, pattern: string, path: string, options: ports.GrepOptions = {}): Promise<ports.GrepResult> {
  const { caseSensitive, maxResults, includePattern, contextLines } = options
  if (options.multiline) throw new EnvironmentFailure('EINVAL', 'This environment does not support multiline search.')
  const text = await host.grep(pattern, path, {
    ...(caseSensitive !== undefined && { caseSensitive }),
    ...(maxResults !== undefined && { maxResults }),
    ...(includePattern !== undefined && { includePattern }),
    ...(contextLines !== undefined && { contextLines }),
  })
  const matches = text.split('\n').flatMap((line) => matchIn(line) ?? [])
  return { matches, capped: maxResults !== undefined && matches.filter(({ isContext }) => !isContext).length >= maxResults }
}

/** Parses `path:line:text`, or `path-line-text` for a line of context. */
function matchIn(shown: string): ports.GrepMatch | null {
  const found = /^(?<path>.+?):(?<line>\d+):(?<text>.*)$/su.exec(shown) ?? /^(?<path>.+?)-(?<line>\d+)-(?<text>.*)$/su.exec(shown)
  if (!found?.groups) return null
  const { path = '', line, text = '' } = found.groups
  return { path, line: Number(line), text, isContext: shown[path.length] === '-' }
}
