import { z } from 'zod'
import { applyDiff } from './apply-diff.ts'
import { ignoredBy } from '../../../main/environment/search/ignore/ignore-rule.ts'
import { explainIssues } from '../../../main/tools/define/explain-invalid-arguments.ts'

/**
 * An operation that is not a tool. `cwd` is as written in the request. Throws an `Error` whose message says what is wrong with the
 * arguments.
 */
export type Op = (args: unknown, cwd: string | null) => unknown

/** An operation that works in a folder (real path). It runs after earlier requests for that folder, and the signal ends it. */
export type FolderOp = (args: unknown, cwd: string, signal: AbortSignal) => Promise<unknown>

const ignoreArguments = z.object({ patterns: z.union([z.string(), z.array(z.string())]), paths: z.array(z.string()) })

const applyDiffArguments = z.object({ input: z.string(), diff: z.string(), mode: z.enum(['default', 'create']).optional() })

export const OPS: Readonly<Record<string, Op>> = {
  /** Applies the hunks of one file section to `input`, or creates the new file from its `+` lines. */
  apply_diff: (args) => {
    const { input, diff, mode } = parsed(applyDiffArguments, args)
    const result = applyDiff(input, diff, mode)
    if (!result.ok) throw new Error(result.failure)
    return result.value
  },
  /** Decodes a recorded response like a live answer. */
  decode_stream: async (args) => {
    const { decodeArguments, decode } = await import('./provider-ops.ts')
    return decode(parsed(decodeArguments, args))
  },
  /** Returns the request that would be made. Nothing is sent. */
  build_request: async (args) => {
    const { buildArguments, build } = await import('./provider-ops.ts')
    return build(parsed(buildArguments, args))
  },
  /** Returns what the policy says about a command from its text. Nothing is run. */
  policy_check: async (args, cwd) => {
    const { policyCheck, policyCheckArguments } = await import('./policy-check.ts')
    return policyCheck(cwd ?? process.cwd(), parsed(policyCheckArguments, args))
  },
  /** Returns those `paths` that a `.gitignore` with these lines ignores. Paths are relative and use `/`. A folder's path ends with `/`. */
  ignore: (args) => {
    const { patterns, paths } = parsed(ignoreArguments, args)
    return ignoredBy(typeof patterns === 'string' ? patterns : patterns.join('\n'), paths)
  },
}

export const FOLDER_OPS: Readonly<Record<string, FolderOp>> = {
  /** Runs a session of the real app. */
  session_run: async (args, cwd, signal) => {
    const { sessionRun, sessionRunArguments } = await import('./session-run.ts')
    return sessionRun(cwd, parsed(sessionRunArguments, args), signal)
  },
  /** Plays an editor that speaks the Agent Client Protocol. */
  acp_exchange: async (args, cwd, signal) => {
    const { acpExchange, acpExchangeArguments } = await import('./acp-exchange.ts')
    return acpExchange(cwd, parsed(acpExchangeArguments, args), signal)
  },
  /** Plays steps of an agent and a user in the folder, and undoes some of them. */
  checkpoint: async (args, cwd, signal) => {
    const { checkpoint, checkpointArguments } = await import('./checkpoint.ts')
    return checkpoint(cwd, parsed(checkpointArguments, args), signal)
  },
  /** Returns what a command does to the folder, determined in a copy of it. */
  run_in_copy: async (args, cwd, signal) => {
    const { runInCopy, runInCopyArguments } = await import('./run-in-copy.ts')
    return runInCopy(cwd, parsed(runInCopyArguments, args), signal)
  },
}

/** Checks arguments against a schema. A string is parsed as JSON first. Throws an `Error` that lists each wrong field. */
function parsed<T>(schema: z.ZodType<T>, args: unknown): T {
  const given = typeof args === 'string' ? fromJson(args) : args
  const result = schema.safeParse(given)
  if (result.success) return result.data
  throw new Error(`Invalid arguments: ${String(explainIssues(result.error.issues, given))}`)
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`Invalid arguments: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}
