import { constants } from 'node:os'
import type * as ports from '../../agent/ports/execution-environment.ts'
import { createLocalExecutionEnvironment as createLocal } from '../../environment/local-environment.ts'
import { listingOf } from '../../tools/search/grep-listing.ts'
import { badOption } from '../agent-error.ts'
import type { EnvVarPolicy, ExecResult, ExecutionEnvironment, HostEnvironment, RawAccess } from './environment-types.ts'

const POLICIES: readonly EnvVarPolicy[] = ['inherit_all', 'inherit_core', 'inherit_none']

/** The original of each environment that `publicEnvironment` converted, so that converting it back returns exactly this object. */
const behind = new WeakMap<object, ports.ExecutionEnvironment>()

/** Maps each environment that was made from a host's object to that object, so that an executor gets what its caller passed. */
const given = new WeakMap<ports.ExecutionEnvironment, ExecutionEnvironment>()

/**
 * Converts a host's environment to Countersign's shape. If `publicEnvironment` made the host's object, returns the original environment.
 * Otherwise calls `adapt`.
 */
export function environmentBehind(host: ExecutionEnvironment, adapt: () => ports.ExecutionEnvironment): ports.ExecutionEnvironment {
  const env = behind.get(host) ?? adapt()
  given.set(env, host)
  return env
}

/**
 * Returns the environment for an executor: the object that its caller passed or, if there is none, `env` in the shape that the
 * specification defines. In the latter case, `signal` stops its commands.
 */
export function executorEnvironment(env: ports.ExecutionEnvironment, signal: AbortSignal): ExecutionEnvironment {
  return given.get(env) ?? publicEnvironment(env, signal)
}

/**
 * The environment of this machine, in the folder `workingDir`. Default for `envVarPolicy`: `inherit_core`, which passes everything except
 * secrets.
 */
export function createLocalExecutionEnvironment(workingDir: string, envVarPolicy?: EnvVarPolicy): ExecutionEnvironment & RawAccess {
  if (typeof workingDir !== 'string' || workingDir === '')
    throw badOption('createLocalExecutionEnvironment needs a folder.', 'Give the path of a folder as its first argument.')
  if (envVarPolicy !== undefined && !POLICIES.includes(envVarPolicy))
    throw badOption(`${JSON.stringify(envVarPolicy)} is not a policy for environment variables.`, `Use one of ${POLICIES.join(', ')}.`)
  return publicEnvironment(createLocal(workingDir, envVarPolicy === undefined ? {} : { envVarPolicy }))
}

/**
 * Converts Countersign's environment to the shape that the specification defines. `signal` ends commands that are started without their own
 * signal.
 */
export function publicEnvironment(env: ports.ExecutionEnvironment, signal?: AbortSignal): ExecutionEnvironment & RawAccess {
  const { readBytes, writeBytes, stat, lstat, realpath, readlink, symlink, rename, setMode, createFolder, removeFolder, spawn, openShell } =
    env
  const seed: HostEnvironment & RawAccess = {
    readBytes,
    writeBytes,
    stat,
    lstat,
    realpath,
    readlink,
    symlink,
    rename,
    setMode,
    createFolder,
    removeFolder,
    spawn,
    openShell,
    readFile: (path, offset, limit) => env.readFile(path, offset, limit),
    writeFile: (path, content) => env.writeFile(path, content),
    deleteFile: (path) => env.deleteFile(path),
    fileExists: (path) => env.fileExists(path),
    listDirectory: (path, depth) => env.listDirectory(path, depth),
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
    initialize: () => env.initialize(),
    cleanup: () => env.cleanup(),
    workingDirectory: () => env.workingDirectory(),
    platform: () => env.platform(),
    osVersion: () => env.osVersion(),
  }
  if (!signal) behind.set(seed, env)
  return seed
}

/** The exit code if the signal is unknown: 137, as for a killed process. */
const KILLED = 128 + 9

function exitCodeOf({ exitCode, signal }: ports.ExecResult): ExecResult['exitCode'] {
  if (exitCode !== null) return exitCode
  const number = signal === null ? undefined : constants.signals[signal as keyof typeof constants.signals]
  return number === undefined ? KILLED : 128 + number
}
