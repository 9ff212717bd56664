import { hash } from 'node:crypto'
import { mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BlobHash, ToolCallId } from '../../shared/lib/ids.ts'
import type { ModelContent } from '../../shared/session/content.ts'
import type { Effect } from '../../shared/session/effects.ts'
import type { CommandLimits, PathFacts, Prepared, RunContext, Spool, Tool, ToolOutput } from '../../main/agent/ports/tool.ts'
import { type CallMemory, createCallMemory } from '../../main/embed/call-memory.ts'
import { createPathFacts } from '../../main/approval/path-facts.ts'
import { countChangedLinesInSlices } from '../../main/changes/count-changed-lines.ts'
import { createLocalExecutionEnvironment, type LocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { createTools } from '../../main/tools/create-tools.ts'
import { removeFolder } from '../support/remove-folder.ts'
import { createShells, type Shells } from '../../main/tools/commands/session-shells.ts'
import type { LazyWebCode } from '../../main/tools/web/lazy-web-code.ts'

export interface Workbench {
  /** Real path of the folder in which the tools work. The test creates nothing next to this folder. */
  readonly root: string
  readonly home: string
  readonly env: LocalExecutionEnvironment
  readonly memory: CallMemory
  readonly blobs: Map<BlobHash, Uint8Array>
  readonly shells: Shells
  readonly progress: { readonly tail: string; readonly bytes: number; readonly waitsForInput?: boolean }[]
  tool(name: string): Tool
  place(path: string): Promise<PathFacts>
  /** Validates and prepares a call. A validation failure is returned as a rejected call. */
  prepare(name: string, args: unknown): Promise<Prepared>
  commit(prepared: Prepared, run?: Partial<RunContext>): Promise<ToolOutput>
  /** Runs a call through all its steps. Nobody refuses it. */
  call(name: string, args: unknown, run?: Partial<RunContext>): Promise<ToolOutput>
  dispose(): Promise<void>
}

/** Creates the real tools over the real environment, in their own temp folder or in `folder`. A map keeps stored bytes by their hash. */
export function createWorkbench(
  folder?: string,
  web?: LazyWebCode,
  limits: CommandLimits = { defaultCommandMs: 10_000, maxCommandMs: 600_000 },
): Workbench {
  const base = realpathSync(folder ?? mkdtempSync(join(tmpdir(), 'countersign-tools-')))
  const env = createLocalExecutionEnvironment(base)
  const home = join(base, 'home-of-nobody')
  const place = createPathFacts({ env, root: base, home })
  const memory = createCallMemory()
  const blobs = new Map<BlobHash, Uint8Array>()
  const progress: { tail: string; bytes: number; waitsForInput?: boolean }[] = []
  const keep = (bytes: Uint8Array): BlobHash => {
    const key = BlobHash.parse(hash('sha256', bytes, 'hex'))
    blobs.set(key, bytes)
    return key
  }
  const signal = new AbortController().signal
  const shells = createShells()
  const tools = new Map(
    createTools({
      countLines: countChangedLinesInSlices,
      shells,
      ...(web && { web }),
    }).map((tool) => [tool.definition.name, tool]),
  )
  const context = {
    env,
    signal,
    keep: async (bytes: Uint8Array) => keep(bytes),
    place,
    files: { read: (path: string) => env.readBytes(path).catch((error: unknown) => absent(error)) },
    seen: memory.seen.get,
    seenLines: memory.seen.lines,
    session: memory.session,
    limits,
  }
  const run: RunContext = {
    env,
    signal,
    toolCallId: ToolCallId.parse('call_1'),
    bytes: async (key) => blobs.get(key) ?? fail(`no bytes ${key}`),
    session: memory.session,
    saw(path, content, lines) {
      const hashOf = typeof content === 'string' ? content : BlobHash.parse(hash('sha256', content, 'hex'))
      memory.seen.saw({ path, hash: hashOf, ...(lines && { lines }) })
      return hashOf
    },
    ask: () => Promise.resolve(null),
    offer: () => {},
    progress: (tail, bytes, waitsForInput) => void progress.push({ tail, bytes, ...(waitsForInput && { waitsForInput }) }),
    terminal: null,
    openSpool: () => createSpool(keep),
  }
  const bench: Workbench = {
    root: base,
    home,
    env,
    memory,
    blobs,
    shells,
    progress,
    place,
    tool: (name) => tools.get(name) ?? fail(`no tool ${name}`),
    async prepare(name, args) {
      const valid = bench.tool(name).validate(args)
      if (!valid.ok) return { kind: 'rejected', output: { output: refusalOf(valid) ?? '', isError: true, details: null } }
      const prepared = await bench.tool(name).prepare(valid.value, context)
      return prepared.kind === 'rejected' ? { ...prepared, output: asModelReads(prepared.output) } : prepared
    },
    commit: async (prepared, own = {}) =>
      prepared.kind === 'rejected' ? prepared.output : asModelReads(await prepared.commit({ ...run, ...own })),
    call: async (name, args, own = {}) => bench.commit(await bench.prepare(name, args), own),
    async dispose() {
      await env.cleanup()
      removeFolder(base)
    },
  }
  return bench
}

/** A failure without the words that only people read. */
function asModelReads({ shown, ...output }: ToolOutput): ToolOutput {
  return (output.isError && output.details === null) || shown === undefined ? output : { ...output, shown }
}

export function effectsOf(prepared: Prepared): readonly Effect[] {
  return prepared.kind === 'ready' ? prepared.effects : fail(textOf(prepared.output.output))
}

export function textOf(output: ModelContent): string {
  return typeof output === 'string' ? output : output.map((part) => (part.kind === 'text' ? part.text : `[${part.kind}]`)).join('\n')
}

function createSpool(keep: (bytes: Uint8Array) => BlobHash): Spool {
  const pieces: Uint8Array[] = []
  return {
    write: (bytes) => void pieces.push(Uint8Array.from(bytes)),
    end() {
      const bytes = Buffer.concat(pieces)
      return bytes.length === 0 ? null : { hash: keep(bytes), bytes: bytes.length, capped: false }
    },
  }
}

function absent(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}

function fail(message: string): never {
  throw new Error(message)
}

/** What a model reads about invalid arguments. Null if they are valid. */
export function refusalOf(valid: ReturnType<Tool['validate']>): string | null {
  return valid.ok ? null : [valid.failure, ...(valid.advice === undefined ? [] : [valid.advice])].join(' ')
}
