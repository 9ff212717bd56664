import { failure, toolError } from '../agent/tool-output.ts'
import { relative, resolve } from 'node:path'
import { readOutputSpec } from '../../shared/tools/built-in/read-output.ts'
import type { BlobHash, ToolCallId } from '../../shared/lib/ids.ts'
import type { ModelContent } from '../../shared/session/content.ts'
import type { Effect } from '../../shared/session/effects.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import type { Verdict } from '../agent/ports/policy.ts'
import type { PathFacts, PrepareContext, RunContext, Spool, ToolOutput, ToolRegistry } from '../agent/ports/tool.ts'
import { type CallMemory, createCallMemory } from './call-memory.ts'
import { DEFAULT_COMMAND_MS, MAX_COMMAND_MS } from '../../shared/session/settings/session-config.ts'
import { isInside } from '../is-inside.ts'
import { hashInSlices, hashOf } from '../agent/blob-hash.ts'
import { createFileOverlay } from '../agent/dispatch/file-overlay.ts'
import { findCall, type FoundCall, prepareCall } from '../agent/dispatch/prepare.ts'

/** `args`: an object, or the model's raw JSON text. */
export interface PendingToolCall {
  readonly toolCallId: string
  readonly toolName: string
  readonly args: unknown
}

export interface ToolCallResult {
  readonly toolCallId: string
  readonly output: ModelContent
  readonly isError: boolean
}

/** Optional settings that a host can pass. By default every call is approved and no output is truncated. */
export interface DispatchOptions {
  readonly signal?: AbortSignal
  readonly truncate?: (toolName: string, output: string, toolCallId?: string, missing?: number) => string
  /** A verdict `ask` is treated as a refusal, because nobody can be asked here. */
  readonly judge?: (effects: readonly Effect[]) => Verdict
  /**
   * Reads the facts that `judge` needs from the disk, and returns the effects with these facts. If left out, effects are judged as the tool
   * states them.
   */
  readonly look?: (effects: readonly Effect[]) => Promise<readonly Effect[]>
  readonly place?: (path: string) => Promise<PathFacts>
  /** The data that tool calls share across calls of this function. */
  readonly memory?: CallMemory
  /** Stores outputs that are too long for memory, so that `read_output` can read them. If left out, only their head and tail are kept. */
  readonly blobs?: { openSpool(): Spool; get(hash: BlobHash): Uint8Array }
  readonly limits?: PrepareContext['limits']
}

const LIMITS = { defaultCommandMs: DEFAULT_COMMAND_MS, maxCommandMs: MAX_COMMAND_MS }

/**
 * Dispatch without a session: each call is looked up, validated, prepared, judged, run and truncated separately, without log, approvals
 * or undo. `parallel`: whether the calls run at the same time instead of one after the other. Results come in call order. Every failure
 * is a result with `isError`, never an exception.
 */
export async function dispatchToolCalls(
  calls: readonly PendingToolCall[],
  registry: ToolRegistry,
  env: ExecutionEnvironment,
  parallel: boolean,
  options: DispatchOptions = {},
): Promise<readonly ToolCallResult[]> {
  const kept = new Map<BlobHash, Uint8Array>()
  const memory = options.memory ?? createCallMemory()
  const one = async (call: PendingToolCall): Promise<ToolCallResult> => {
    const found = find(call, registry)
    const { output, isError, missing, whole } = await dispatched(call, found, env, { kept, memory, options })
    const read = whole && options.blobs ? () => Buffer.from(options.blobs?.get(whole.hash) ?? []).toString('utf8') : undefined
    memory.ended(call.toolCallId, read ?? (typeof output === 'string' ? output : ''))
    const toolName = found.tool?.definition.name ?? call.toolName
    const truncate = (text: string): string =>
      options.truncate?.(toolName, text, registry.get(readOutputSpec.name) ? call.toolCallId : undefined, missing) ?? text
    return { toolCallId: call.toolCallId, output: typeof output === 'string' ? truncate(output) : output, isError }
  }
  if (parallel) return Promise.all(calls.map(one))
  const results: ToolCallResult[] = []
  for (const call of calls) results.push(await one(call))
  return results
}

interface Shared {
  readonly kept: Map<BlobHash, Uint8Array>
  readonly memory: CallMemory
  readonly options: DispatchOptions
}

function find({ toolName, args }: PendingToolCall, registry: ToolRegistry): FoundCall {
  return findCall({ toolName, argsText: typeof args === 'string' ? args : JSON.stringify(args ?? {}) }, 'tool_calls', registry)
}

async function dispatched(call: PendingToolCall, found: FoundCall, env: ExecutionEnvironment, shared: Shared): Promise<ToolOutput> {
  const signal = shared.options.signal ?? new AbortController().signal
  try {
    const judge = shared.options.judge ?? ((): Verdict => ({ kind: 'allow', by: { kind: 'mode', mode: 'full' } }))
    const { look } = shared.options
    const outside: PathFacts[] = []
    const context = prepareContext(env, signal, shared)
    const place = async (path: string): Promise<PathFacts> => {
      const facts = await context.place(path)
      if (facts.outside) outside.push(facts)
      return facts
    }
    const prepared = await prepareCall(
      found,
      { ...context, place },
      { ...(look && { look }), judge: async (effects) => judge(effects), effectHash: () => '' },
    )
    // If `prepare` failed, its error message can reveal something about the paths that the call uses. So the message is returned only if
    // reading those paths is allowed.
    const verdict =
      prepared.kind === 'ended' ? judge(outside.map((facts) => ({ kind: 'read', ...facts }))) : prepared.kind === 'step' && prepared.verdict
    if (verdict && verdict.kind === 'ask') return failure(`Refused: ${verdict.reason} Nothing was executed.`)
    if (prepared.kind === 'ended') return prepared.output
    return await prepared.commit(runContext(call, env, signal, shared))
  } catch (error) {
    return failure(toolError(error))
  }
}

function keptBytes(kept: Shared['kept'], blob: BlobHash): Uint8Array {
  const bytes = kept.get(blob)
  if (!bytes) throw new Error(`No stored content has the hash ${blob}.`)
  return bytes
}

function prepareContext(env: ExecutionEnvironment, signal: AbortSignal, { kept, memory, options }: Shared): PrepareContext {
  const { seen, session } = memory
  const files = createFileOverlay({
    env,
    blobs: { getInSlices: async (blob) => keptBytes(kept, blob) },
    seen: seen.get,
    seenLines: seen.lines,
  })
  return {
    env,
    files,
    signal,
    seen: files.seen,
    seenLines: files.seenLines,
    session,
    limits: options.limits ?? LIMITS,
    place: options.place ?? ((path) => placeOf(env, path)),
    async keep(bytes) {
      const blob = await hashInSlices(bytes)
      kept.set(blob, bytes)
      return blob
    },
  }
}

function runContext(call: PendingToolCall, env: ExecutionEnvironment, signal: AbortSignal, { kept, memory, options }: Shared): RunContext {
  return {
    env,
    signal,
    toolCallId: call.toolCallId as ToolCallId,
    bytes: async (blob) => keptBytes(kept, blob),
    session: memory.session,
    saw(path, content, lines) {
      const hash = typeof content === 'string' ? content : hashOf(content)
      memory.seen.saw({ path, hash, ...(lines && { lines }) })
      return hash
    },
    ask: () => Promise.resolve(null),
    offer: () => {},
    progress: () => {},
    terminal: null,
    openSpool: () => options.blobs?.openSpool() ?? { write: () => {}, end: () => null },
  }
}

async function placeOf(env: ExecutionEnvironment, path: string): Promise<PathFacts> {
  const root = await env.realpath(env.workingDirectory())
  const real = await env.realpath(resolve(env.workingDirectory(), path))
  const outside = !isInside(root, real)
  return { path: real, shown: outside ? real : relative(root, real) || '.', outside, control: false }
}
