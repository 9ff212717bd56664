import { hash } from 'node:crypto'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { BlobHash, ToolCallId } from '../../../shared/lib/ids.ts'
import type { ModelContent } from '../../../shared/session/content.ts'
import type { Effect } from '../../../shared/session/effects.ts'
import type { ExecutionEnvironment } from '../ports/execution-environment.ts'
import type { Verdict } from '../ports/policy.ts'
import type { PathFacts, PrepareContext, RunContext, Spool, ToolOutput, ToolRegistry } from '../ports/tool.ts'
import { type CallMemory, createCallMemory } from './call-memory.ts'
import { errorOutput, findCall, type FoundCall, toolError } from './find-call.ts'
import { createOverlay } from './overlay.ts'
import { prepareCall } from './prepare-call.ts'

/** P3-14. `args`: an object, or the model's raw JSON text. */
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

/** What a host of the library may bring along; without it everything is approved and nothing truncated. */
export interface DispatchOptions {
  readonly signal?: AbortSignal
  readonly truncate?: (toolName: string, output: string, toolCallId?: string, missing?: number) => string
  /** `ask` counts as refused here, since nobody can be asked. */
  readonly judge?: (effects: readonly Effect[]) => Verdict
  /** As the policy's. */
  readonly look?: (effects: readonly Effect[]) => Promise<readonly Effect[]>
  readonly place?: (path: string) => Promise<PathFacts>
  /** What outlives one call of this function (D-38). */
  readonly memory?: CallMemory
  /** Where what is too long for memory is put, to be read with `read_output`; absent: only head and tail of it are kept. */
  readonly blobs?: { openSpool(): Spool; get(hash: BlobHash): Uint8Array }
  readonly limits?: PrepareContext['limits']
}

/** P2-44 and S-04, in ms. */
const LIMITS = { defaultCommandMs: 10_000, maxCommandMs: 600_000 }

/**
 * The steps of dispatch composed in the simplest way (P3-14…P3-20): find, validate, prepare, judge, commit, truncate, for each call by
 * itself, without log, approvals or undo. `parallel`: all at once, else one after the other. The results come in call order; every way
 * to fail is a result with `isError`, never an exception.
 */
export async function dispatchToolCalls(
  calls: readonly PendingToolCall[],
  registry: ToolRegistry,
  env: ExecutionEnvironment,
  parallel: boolean,
  options: DispatchOptions = {},
): Promise<readonly ToolCallResult[]> {
  const shelf = new Map<BlobHash, Uint8Array>()
  const memory = options.memory ?? createCallMemory()
  const one = async (call: PendingToolCall): Promise<ToolCallResult> => {
    const found = find(call, registry)
    const { output, isError, missing, whole } = await dispatched(call, found, env, { shelf, memory, options })
    const read = whole && options.blobs ? () => Buffer.from(options.blobs?.get(whole.hash) ?? []).toString('utf8') : undefined
    memory.ended(call.toolCallId, read ?? (typeof output === 'string' ? output : ''))
    const toolName = found.tool?.definition.name ?? call.toolName
    const truncate = (text: string): string =>
      options.truncate?.(toolName, text, registry.get('read_output') ? call.toolCallId : undefined, missing) ?? text
    return { toolCallId: call.toolCallId, output: typeof output === 'string' ? truncate(output) : output, isError }
  }
  if (parallel) return Promise.all(calls.map(one))
  const results: ToolCallResult[] = []
  for (const call of calls) results.push(await one(call))
  return results
}

interface Shared {
  readonly shelf: Map<BlobHash, Uint8Array>
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
    const prepared = await prepareCall(found, { ...context, place }, { ...(look && { look }), judge, effectHash: () => '' })
    // Why a call failed tells of what it looked at, so the places that it named are judged first (D-50).
    const verdict =
      prepared.kind === 'ended' ? judge(outside.map((facts) => ({ kind: 'read', ...facts }))) : prepared.kind === 'step' && prepared.verdict
    if (verdict && verdict.kind === 'ask') return errorOutput(`Refused: ${verdict.reason} Nothing was executed.`)
    if (prepared.kind === 'ended') return prepared.output
    return await prepared.commit(runContext(call, env, signal, shared))
  } catch (error) {
    return errorOutput(toolError(error))
  }
}

const hashOf = (bytes: Uint8Array): BlobHash => hash('sha256', bytes, 'hex') as BlobHash

function onShelf(shelf: Shared['shelf'], blob: BlobHash): Uint8Array {
  const bytes = shelf.get(blob)
  if (!bytes) throw new Error(`There are no bytes ${blob}.`)
  return bytes
}

function prepareContext(env: ExecutionEnvironment, signal: AbortSignal, { shelf, memory, options }: Shared): PrepareContext {
  const { seen, session } = memory
  const files = createOverlay({ env, blobs: { get: (blob) => onShelf(shelf, blob) }, seen: seen.get, seenLines: seen.lines })
  return {
    env,
    files,
    signal,
    seen: files.seen,
    seenLines: files.seenLines,
    session,
    limits: options.limits ?? LIMITS,
    place: options.place ?? ((path) => placeOf(env, path)),
    keep(bytes) {
      const blob = hashOf(bytes)
      shelf.set(blob, bytes)
      return blob
    },
  }
}

function runContext(call: PendingToolCall, env: ExecutionEnvironment, signal: AbortSignal, { shelf, memory, options }: Shared): RunContext {
  return {
    env,
    signal,
    toolCallId: call.toolCallId as ToolCallId,
    bytes: (blob) => onShelf(shelf, blob),
    session: memory.session,
    saw(path, content, lines) {
      const hash = hashOf(content)
      memory.seen.saw({ path, hash, ...(lines && { lines }) })
      return hash
    },
    progress: () => {},
    terminal: null,
    openSpool: () => options.blobs?.openSpool() ?? { write: () => {}, end: () => null },
  }
}

async function placeOf(env: ExecutionEnvironment, path: string): Promise<PathFacts> {
  const root = await env.realpath(env.workingDirectory())
  const real = await env.realpath(resolve(env.workingDirectory(), path))
  const way = relative(root, real)
  const outside = way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)
  return { path: real, shown: outside ? real : way || '.', outside, control: false }
}
