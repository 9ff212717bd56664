import { isObject } from '../../../shared/lib/json.ts'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import type { ImportPreview } from '../../../shared/api/transfer.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import type { DurableEvent, Trouble } from '../../../shared/session/events.ts'
import { SessionId } from '../../../shared/lib/ids.ts'
import { emptySession, foldAll } from '../../../shared/session/fold/fold.ts'
import type { SessionState } from '../../../shared/session/state.ts'
import { createSlices } from '../../agent/event-loop-slices.ts'
import { nearestRealPath } from '../../environment/files/paths.ts'
import { readRegularFile } from '../../environment/files/read-regular-file.ts'
import { linesOfFile, filesIn, readUserChosenFile } from '../../environment/files/user-chosen-file.ts'
import { ClaudeLines, subagentFacts } from './claude-lines.ts'
import { CodexLines } from './codex-lines.ts'
import { countersignLines } from './countersign-lines.ts'
import { FORMAT } from '../export/json-export.ts'
import { originOf, type Transcript, type TranscriptReader } from './transcript.ts'

/** Maximum size in bytes. The complete transcript is in memory while it is imported. */
const MAX_TRANSCRIPT_BYTES = 512 * 1024 * 1024

/** Reads a transcript of Countersign, Claude Code or Codex. The lines show which of these wrote it. Works in slices. */
export async function readTranscript(path: string): Promise<Result<Transcript, Trouble>> {
  // Read before the content, so that a file that changes in the meantime does not count as unchanged.
  const origin = await originOf(path)
  const lines = await linesOfFile(path, MAX_TRANSCRIPT_BYTES)
  if (!lines.ok) return failed(notRead(path, lines.failure))
  const slice = createSlices()
  const early: { readonly value: unknown; readonly raw: string }[] = []
  let reader: TranscriptReader | null = null
  try {
    const outputsFor = await savedOutputs(path)
    const add = async (to: TranscriptReader, value: unknown, raw: string): Promise<void> =>
      to instanceof ClaudeLines ? to.add(value, raw, await outputsFor(raw)) : to.add(value, raw)
    for await (const raw of lines.value) {
      await slice()
      if (raw.trim() === '') continue
      const value = parsed(raw)
      reader ??= readerFor(value)
      if (!reader) early.push({ value, raw })
      else {
        for (const line of early.splice(0)) await add(reader, line.value, line.raw)
        await add(reader, value, raw)
      }
    }
    if (reader instanceof ClaudeLines) await addSubagents(reader, path, outputsFor)
  } catch (error) {
    return failed(notRead(path, error instanceof Error ? error.message : String(error)))
  }
  const found = reader?.end()
  if (!found) return failed(NO_TRANSCRIPT)
  return ok(origin === null ? found : { ...found, origin })
}

/** Reads the lines of subagents, which Claude Code writes to `<session>/subagents/agent-<id>.jsonl`, beside the session's file. */
async function addSubagents(reader: ClaudeLines, path: string, outputsFor: SavedOutputs): Promise<void> {
  const folder = join(path.replace(/\.jsonl$/u, ''), 'subagents')
  const slice = createSlices()
  for (const name of await filesIn(folder)) {
    // Claude Code makes summaries with subagents called `acompact`. They repeat the conversation.
    const agentId = /^agent-(?!acompact)([\w-]+)\.jsonl$/u.exec(name)?.[1]
    if (agentId === undefined) continue
    const facts = await readUserChosenFile(join(folder, `agent-${agentId}.meta.json`), MAX_FACTS)
    const about = facts.ok ? subagentFacts.safeParse(parsed(Buffer.from(facts.value).toString())) : null
    reader.describeAgent(agentId, about?.data ?? {})
    const lines = await linesOfFile(join(folder, name), MAX_TRANSCRIPT_BYTES)
    if (!lines.ok) throw new Error(`${name}: ${lines.failure}`)
    for await (const raw of lines.value) {
      if (raw.trim() !== '') reader.add(ofAgent(parsed(raw), agentId), raw, await outputsFor(raw))
      await slice()
    }
  }
}

/** Returns the complete outputs, by file name, to which a line of Claude Code refers. */
type SavedOutputs = (raw: string) => Promise<ReadonlyMap<string, string>>

const REFERENCE = /<persisted-output>(?:(?!<persisted-output>).){1,5000}?tool-results(?:\/|\\\\)([\w-]+\.txt)/gu

/**
 * Reads the outputs that Claude Code writes to `<session>/tool-results`, beside the session's file. Only regular files of that folder are
 * read, no links. A file that cannot be read, or for which no room is left, is not among the outputs.
 */
async function savedOutputs(path: string): Promise<SavedOutputs> {
  const folder = join(await nearestRealPath(dirname(path)), basename(path, '.jsonl'), 'tool-results')
  let left = MAX_TRANSCRIPT_BYTES
  return async (raw) => {
    const outputs = new Map<string, string>()
    if (!raw.includes('<persisted-output>')) return outputs
    for (const [, name = ''] of raw.matchAll(REFERENCE)) {
      if (outputs.has(name)) continue
      const bytes = await readRegularFile(join(folder, name), { maxBytes: left, noFollow: true, real: true }).catch(() => null)
      if (bytes === null) continue
      left -= bytes.length
      outputs.set(name, Buffer.from(bytes).toString())
    }
    return outputs
  }
}

/** Maximum size in bytes of the file with the facts about a subagent. */
const MAX_FACTS = 64 * 1024

/** Returns the line marked as this subagent's, whatever the line itself says, so that it never becomes part of the session. */
const ofAgent = (value: unknown, agentId: string): unknown => (isObject(value) ? { ...value, isSidechain: true, agentId } : value)

/** Maximum depth of nested lists and objects. Recursive functions could not handle much deeper values. */
const MAX_DEPTH = 200

function parsed(raw: string): unknown {
  try {
    const value: unknown = JSON.parse(raw)
    return isDeeper(value, MAX_DEPTH) ? undefined : value
  } catch {
    return undefined
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1))
}

const ours = z.union([
  z.looseObject({ format: z.literal(FORMAT) }),
  z.looseObject({ sessionId: z.string(), event: z.looseObject({ kind: z.string() }) }),
])
const codex = z.looseObject({ type: z.string(), payload: z.looseObject({}) })
const claude = z.looseObject({
  type: z.enum(['user', 'assistant', 'system', 'summary', 'custom-title', 'ai-title', 'attachment', 'file-history-snapshot']),
})

/** Null if the line could belong to any of the formats. */
function readerFor(value: unknown): TranscriptReader | null {
  if (ours.safeParse(value).success) return countersignLines()
  if (codex.safeParse(value).success) return new CodexLines()
  return claude.safeParse(value).success ? new ClaudeLines() : null
}

/** Describes what importing the transcript would add. */
export async function previewOf(transcript: Transcript): Promise<ImportPreview> {
  const { sessions, source, unknown, leftOut } = transcript
  const state = await stateOf(transcript)
  const counted = (kind: DurableEvent['kind']): number => sessions[0]?.events.filter(({ event }) => event.kind === kind).length ?? 0
  return {
    source,
    title: state.title,
    folder: state.cwd,
    model: state.config.model,
    startedAt: state.startedAt,
    endedAt: state.updatedAt,
    messages: counted('USER_INPUT'),
    answers: counted('ASSISTANT_TURN'),
    calls: counted('TOOL_CALL_START'),
    subagents: sessions.length - 1,
    unknown,
    leftOut: [...leftOut].map(([why, lines]) => ({ why, lines })),
  }
}

/** The state of the user's session after all its events. */
async function stateOf({ sessions: [main] }: Transcript): Promise<SessionState> {
  const sessionId = SessionId.parse('s_preview')
  const slice = createSlices()
  let state = emptySession(sessionId)
  const events = main?.events ?? []
  for (let from = 0; from < events.length; from += FOLDED_AT_ONCE) {
    const batch = events.slice(from, from + FOLDED_AT_ONCE)
    state = foldAll(
      state,
      batch.map(({ at, event }, index) => ({ seq: from + index + 1, sessionId, after: from + index || null, at, event })),
    )
    await slice()
  }
  return state
}

const FOLDED_AT_ONCE = 500

const notRead = (path: string, why: string): Trouble => ({
  code: 'transcript_not_read',
  what: `${path} cannot be read: ${why}.`,
  kept: 'All sessions are unchanged. Nothing was imported.',
  todo: 'Enter the path of a .jsonl file on this computer.',
})

const NO_TRANSCRIPT: Trouble = {
  code: 'no_transcript',
  what: 'The file is not a transcript from Countersign, Claude Code or Codex.',
  kept: 'All sessions are unchanged. Nothing was imported.',
  todo: 'Choose a JSON export from Countersign, or a file from ~/.claude/projects or ~/.codex/sessions.',
}
