import type { ExecutionEnvironment, SpawnResult } from '../../agent/ports/execution-environment.ts'
import { commandEnvironment } from '../../environment/env-policy.ts'
import { launchEnvironment } from '../../environment/launch-environment.ts'
import { decoded } from '../git/repository.ts'

/** Where the user's programs run, and whether they may have the user's secrets. */
export interface UserPlace {
  readonly env: ExecutionEnvironment
  /** False in a layer and on another machine, where other programs could read a program's variables. */
  readonly hasOwnVariables: boolean
}

/** Time limit in ms of a request to a forge or a remote. */
const TIMEOUT_MS = 5 * 60_000
const MAX_BYTES = 8 * 1024 * 1024
/** Turns off prompts, because nobody could answer them. */
const NO_PROMPTS = { GIT_TERMINAL_PROMPT: '0', GH_PROMPT_DISABLED: '1', NO_COLOR: '1', NO_PROMPT: '1' } as const

export interface ProgramOutput {
  readonly ok: boolean
  readonly text: string
  /** The program's error message: its standard error, or its output if that is empty. */
  readonly said: string
}

/** Runs a program as the user. Null if it is not installed. */
export async function runAsUser({ env, hasOwnVariables }: UserPlace, argv: readonly [string, ...string[]]): Promise<ProgramOutput | null> {
  const own = hasOwnVariables ? commandEnvironment(launchEnvironment(), { policy: 'inherit_all' }) : {}
  let result: SpawnResult
  try {
    result = await env.spawn(argv, { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, env: { ...own, ...NO_PROMPTS } })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    return { ok: false, text: '', said: error instanceof Error ? error.message : String(error) }
  }
  const text = decoded(result.stdout)
  return { ok: result.exitCode === 0, text, said: (result.stderr.trim() || text.trim()).slice(-4_000) }
}
