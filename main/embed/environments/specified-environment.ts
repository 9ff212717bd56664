import { constants } from 'node:os'
import type * as ports from '../../agent/ports/execution-environment.ts'
import { EnvironmentFailure } from '../../environment/environment-failure.ts'
import { createLocalExecutionEnvironment as createLocal } from '../../environment/local-environment.ts'
import { listingOf } from '../../tools/search/grep-listing.ts'
import { badOption } from '../agent-error.ts'
import { type ExecutionEnvironment, type HostEnvironment, RAW_MEMBERS, type RawAccess, SAME_MEMBERS } from './environment-types.ts'
import { filesByCommands } from './files-by-commands.ts'

const POLICIES: readonly ports.EnvVarPolicy[] = ['inherit_all', 'inherit_core', 'inherit_none']

/** Countersign's environment of each one that `specifiedEnvironment` made, so that converting it back returns exactly this object. */
const behind = new WeakMap<object, ports.ExecutionEnvironment>()

/** Maps each environment that was made from a host's object to that object, so that an executor gets what its caller passed. */
const given = new WeakMap<ports.ExecutionEnvironment, ExecutionEnvironment>()

/**
 * The environment of this machine, in the folder `workingDir`. Default for `envVarPolicy`: `inherit_core`, which passes everything except
 * secrets.
 */
export function createLocalExecutionEnvironment(workingDir: string, envVarPolicy?: ports.EnvVarPolicy): ExecutionEnvironment & RawAccess {
  if (typeof workingDir !== 'string' || workingDir === '')
    throw badOption('createLocalExecutionEnvironment needs a folder.', 'Give the path of a folder as its first argument.')
  if (envVarPolicy !== undefined && !POLICIES.includes(envVarPolicy))
    throw badOption(`${JSON.stringify(envVarPolicy)} is not a policy for environment variables.`, `Use one of ${POLICIES.join(', ')}.`)
  return specifiedEnvironment(createLocal(workingDir, envVarPolicy === undefined ? {} : { envVarPolicy }))
}

/**
 * Returns the environment for an executor: the object that its caller passed or, if there is none, `env` in the shape that the
 * specification defines. In the latter case, `signal` stops its commands.
 */
export function executorEnvironment(env: ports.ExecutionEnvironment, signal: AbortSignal): ExecutionEnvironment {
  return given.get(env) ?? specifiedEnvironment(env, signal)
}

/**
 * Converts Countersign's environment to the shape that the specification defines. `signal` ends commands that are started without their own
 * signal.
 */
export function specifiedEnvironment(env: ports.ExecutionEnvironment, signal?: AbortSignal): ExecutionEnvironment & RawAccess {
  const specified = {
    // The lists name all members.
    ...(membersOf(env) as Pick<ports.ExecutionEnvironment, MemberName>),
    async execCommand(command, timeoutMs, workingDir, envVars, extras = {}) {
      const stop = extras.signal ?? signal
      const result = await env.execCommand(command, {
        ...(timeoutMs !== undefined && { timeoutMs }),
        ...(workingDir !== undefined && { workingDir }),
        ...(envVars !== undefined && { envVars }),
        ...(stop && { signal: stop }),
        ...(extras.onOutput && { onOutput: extras.onOutput }),
      })
      const { stdout, stderr, timedOut, durationMs } = result
      return { stdout, stderr, exitCode: exitCodeOf(result), timedOut, durationMs }
    },
    async grep(pattern, path, options = {}) {
      const result = await env.grep(pattern, path, options)
      return result.matches.length === 0 ? '' : listingOf(result, 'content', options.maxResults ?? result.matches.length).text
    },
    glob: async (pattern, path) => (await env.glob(pattern, path)).paths,
  } satisfies ExecutionEnvironment & RawAccess
  if (!signal) behind.set(specified, env)
  return specified
}

/**
 * Converts a host's environment to the form that Countersign's tools need. Members that the specification does not define are emulated with
 * POSIX commands if they are missing.
 */
export function hostEnvironment(host: HostEnvironment): ports.ExecutionEnvironment {
  const needed = [...SAME_MEMBERS, 'listDirectory', 'execCommand', 'grep', 'glob'] as const
  const missing = needed.filter((name) => typeof (host as Partial<HostEnvironment> | null)?.[name] !== 'function')
  if (missing.length > 0)
    throw badOption(`The environment lacks ${missing.join(', ')}.`, 'Give an object with all members of ExecutionEnvironment.')
  const env = behind.get(host) ?? {
    ...filesByCommands(host),
    ...(membersOf(host) as Pick<ports.ExecutionEnvironment, MemberName>),
    execCommand: (command, options) => executed(host, command, options),
    grep: (pattern, path, options) => searched(host, pattern, path, options),
    async glob(pattern, path, { maxResults = Infinity } = {}) {
      const paths = await host.glob(pattern, path)
      return { paths: paths.slice(0, maxResults), total: paths.length }
    },
  }
  given.set(env, host)
  return env
}

const NAMES = [...SAME_MEMBERS, 'listDirectory', ...RAW_MEMBERS] as const
type MemberName = (typeof NAMES)[number]

/** The members that need no conversion, as far as an environment has them. */
function membersOf(env: HostEnvironment | ports.ExecutionEnvironment): Partial<Pick<ports.ExecutionEnvironment, MemberName>> {
  const members = NAMES.filter((name) => typeof env[name] === 'function').map((name) => {
    const member = (...args: readonly unknown[]): unknown => Reflect.apply(env[name] as () => unknown, env, args)
    return [name, member] as const
  })
  return Object.fromEntries(members)
}

/** The exit code if the signal is unknown: 137, as for a killed process. */
const KILLED = 128 + 9

function exitCodeOf({ exitCode, signal }: ports.ExecResult): number {
  if (exitCode !== null) return exitCode
  const number = signal === null ? undefined : constants.signals[signal as keyof typeof constants.signals]
  return number === undefined ? KILLED : 128 + number
}

/** Maximum number of characters of output that are shown while a command runs. */
const TAIL = 2_000

/** The specification's message below the output of a command whose time ran out. */
const TIMEOUT_NOTE = /\[ERROR: Command timed out [^\n]*\]$/u

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
  const output = Buffer.from(result.stdout + result.stderr)
  options.spoolText?.(output)
  const timeoutNote = result.timedOut ? TIMEOUT_NOTE.exec(result.stderr)?.[0] : undefined
  const known = { signal: null, aborted: signal?.aborted ?? false, bytes: output.length, complete: true } as const
  return { ...result, ...known, ...(timeoutNote !== undefined && { timeoutNote }) }
}

async function searched(host: HostEnvironment, pattern: string, path: string, options: ports.GrepOptions = {}): Promise<ports.GrepResult> {
  const { multiline, signal: _signal, real: _real, ...asked } = options
  if (multiline) throw new EnvironmentFailure('EINVAL', 'This environment does not support multiline search.')
  const text = await host.grep(pattern, path, asked)
  const matches = text.split('\n').flatMap((line) => matchIn(line) ?? [])
  const { maxResults = Infinity } = asked
  return { matches, capped: matches.filter(({ isContext }) => !isContext).length >= maxResults }
}

/** Parses `path:line:text`, or `path-line-text` for a line of context. */
function matchIn(shown: string): ports.GrepMatch | null {
  const found = /^(?<path>.+?):(?<line>\d+):(?<text>.*)$/su.exec(shown) ?? /^(?<path>.+?)-(?<line>\d+)-(?<text>.*)$/su.exec(shown)
  if (!found?.groups) return null
  const { path = '', line, text = '' } = found.groups
  return { path, line: Number(line), text, isContext: shown[path.length] === '-' }
}
