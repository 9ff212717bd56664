import type { Store } from '../../main/store/store.ts'
import { BlobHash, SessionId, ToolCallId } from '../../shared/lib/ids.ts'
import { NO_USAGE } from '../../shared/session/content.ts'
import type { DurableEvent, SessionConfigured } from '../../shared/session/events.ts'

/** The contents of a seeded session. */
export interface Seed {
  readonly sessionId: string
  readonly cwd: string
  readonly config: SessionConfigured
  readonly rounds: number
  /** The number of characters of each call's output. */
  readonly outputChars: number
}

const CALLS_PER_ROUND = 2
const ROUNDS_PER_INPUT = 20
/** After this number of rounds, the outputs that the model sees fill a context window of 200,000 tokens. */
const ROUNDS_PER_COMPACTION = 35
/** The model gets this many characters of a long output: half from its beginning and half from its end. */
const MODEL_CHARS = 10_000

/**
 * Writes a session like one that has grown over weeks of work: rounds of two calls with the output of a test run, edits, messages and
 * compactions.
 */
export function seedSession(store: Store, seed: Seed): void {
  const sessionId = SessionId.parse(seed.sessionId)
  const log = store.log(sessionId)
  log.append({ kind: 'SESSION_START', sessionId, cwd: seed.cwd, ...seed.config })
  for (let round = 0; round < seed.rounds; round++) {
    const [first, ...rest] = roundEvents(seed, round)
    if (first) log.append(first, ...rest)
  }
}

function roundEvents(seed: Seed, round: number): readonly DurableEvent[] {
  const ids = Array.from({ length: CALLS_PER_ROUND }, (_, call) => ToolCallId.parse(`call-${round}-${call}`))
  const isLast = round === seed.rounds - 1
  const isEndOfTurn = isLast || round % ROUNDS_PER_INPUT === ROUNDS_PER_INPUT - 1
  return [
    ...(round % ROUNDS_PER_INPUT === 0 ? [input(round)] : []),
    answer(seed, round, ids),
    { kind: 'USAGE', turn: NO_USAGE, total: { ...NO_USAGE, input: round * 1000 }, costUsd: round / 100 },
    ...ids.map((toolCallId): DurableEvent => ({ kind: 'TOOL_CALL_START', toolCallId, toolName: 'shell', args: argsOf(toolCallId) })),
    ...ids.flatMap((toolCallId, call) => callEvents(seed, round, toolCallId, call === 0 && round % 3 === 0)),
    ...(round % ROUNDS_PER_COMPACTION === ROUNDS_PER_COMPACTION - 1 && !isLast ? [compacted()] : []),
    ...(isEndOfTurn ? [{ kind: 'PROCESSING_END', reason: 'completed' } as const] : []),
  ]
}

const argsOf = (toolCallId: ToolCallId) => ({ command: `npm test -- --shard ${toolCallId}` })

function input(round: number): DurableEvent {
  return {
    kind: 'USER_INPUT',
    inputId: `input-${round}`,
    text: `Make test ${round} pass. ${'Mind the edge cases. '.repeat(10)}`,
    delivery: 'prompt',
  }
}

function answer({ config }: Seed, round: number, ids: readonly ToolCallId[]): DurableEvent {
  const text = { kind: 'text', text: `Round ${round}: I run the tests. ${'The cause lies in the parser. '.repeat(12)}` } as const
  const calls = ids.map((toolCallId) => {
    return { kind: 'tool_call', toolCallId, toolName: 'shell', argsText: JSON.stringify(argsOf(toolCallId)) } as const
  })
  return {
    kind: 'ASSISTANT_TURN',
    provider: config.provider,
    model: config.model,
    parts: [text, ...calls],
    stopReason: 'tool_calls',
    responseId: `response-${round}`,
    usage: { ...NO_USAGE, input: 40_000, output: 300 },
    complete: true,
  }
}

function callEvents({ cwd, outputChars }: Seed, round: number, toolCallId: ToolCallId, isEdit: boolean): readonly DurableEvent[] {
  const path = `${cwd}/src/module-${round % 400}.ts`
  const sizes = { beforeBytes: 10, afterBytes: 12, beforeMode: 0o644, afterMode: 0o644, lines: { added: 1, removed: 1 } }
  const file = { path, shown: `src/module-${round % 400}.ts`, before: hashOf(round), after: hashOf(round + 1), ...sizes }
  const output = logOf(round, outputChars)
  return [
    { kind: 'TOOL_EXECUTION_START', toolCallId, signedBy: { kind: 'mode', mode: 'full' }, effects: [] },
    ...(isEdit ? [{ kind: 'FILES_CHANGED', toolCallId, files: [file] } as const] : []),
    {
      kind: 'TOOL_CALL_END',
      toolCallId,
      toolName: 'shell',
      output,
      outputBlob: null,
      modelText: `Exit code 1 after 2.31 s\n${output.slice(0, MODEL_CHARS / 2)}\n[…]\n${output.slice(-MODEL_CHARS / 2)}`,
      isError: true,
      outcome: 'failed',
      durationMs: 2310,
      details: { exitCode: 1 },
    },
  ]
}

const hashOf = (n: number): BlobHash => BlobHash.parse(n.toString(16).padStart(64, '0'))

function compacted(): DurableEvent {
  const receipt = { dropped: 180, pinned: 10, tokensBefore: 900_000, tokensAfter: 60_000 }
  return {
    kind: 'COMPACTED',
    why: 'threshold',
    text: `What was done so far. ${'The parser was rewritten. '.repeat(100)}`,
    kept: 20,
    ...receipt,
  }
}

/**
 * Returns the log of a test run with the contents of a real one: durations, clock times, process ids, addresses, paths and quoted text.
 */
function logOf(round: number, chars: number): string {
  const lines: string[] = []
  for (let length = 0, n = round; length < chars; n++) {
    const line = LINES[n % LINES.length]?.(n) ?? ''
    lines.push(line)
    length += line.length + 1
  }
  return lines.join('\n').slice(0, chars)
}

const LINES: readonly ((n: number) => string)[] = [
  (n) => ` ✓ test/parser/expression-${n % 97}.test.ts > reads nested calls (${n % 13} tests) ${(n * 7) % 911}ms`,
  (n) =>
    ` ❯ test/store/log.test.ts:${n % 300}:${n % 40} "expected" 'received' at Object.<anonymous> (/tmp/build-${n}/node_modules/a.js:1:2)`,
  (n) => `2026-11-22T18:${String(n % 60).padStart(2, '0')}:07.123Z [pid ${1000 + n}] listening on 127.0.0.1:${40_000 + (n % 9999)}`,
  (n) => `    at process.processTicksAndRejections (node:internal/process/task_queues:${n % 105}:5) 0x${(n * 977).toString(16)}`,
  () => `  - Expected  "line one\\nline two\\ttabbed"\n  + Received  "line one\\nline 2"`,
  (n) => `Duration  ${n % 60}.${n % 10}s (transform 1.2s, setup 340ms, collect 12.4s, tests ${n % 40}.2s)`,
]
