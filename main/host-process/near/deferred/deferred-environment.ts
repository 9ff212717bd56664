import { deferredCalls, type Use } from '../../../../shared/lib/deferred-calls.ts'
import type { ExecutionEnvironment } from '../../../agent/ports/execution-environment.ts'

const CALLS = [
  'readFile',
  'writeFile',
  'deleteFile',
  'fileExists',
  'listDirectory',
  'execCommand',
  'openShell',
  'grep',
  'glob',
  'initialize',
  'cleanup',
  'readBytes',
  'writeBytes',
  'stat',
  'lstat',
  'realpath',
  'readlink',
  'symlink',
  'rename',
  'setMode',
  'createFolder',
  'removeFolder',
  'spawn',
  'open',
] as const

type Facts = Pick<ExecutionEnvironment, 'workingDirectory' | 'platform' | 'osVersion'>

/** An environment that passes each call to the one that `use` provides. */
export function deferredEnvironment(facts: Facts, use: Use<ExecutionEnvironment>): ExecutionEnvironment {
  return { ...deferredCalls<ExecutionEnvironment, (typeof CALLS)[number]>(CALLS, use), ...facts }
}
