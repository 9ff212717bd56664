import { z } from 'zod'
import type { BlobHash, SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import type { ContentPart, Usage } from '../../../shared/session/content.ts'
import { NO_LEASE } from '../../../shared/session/settings/budget-lease.ts'
import { canonicalToolName, ForeignSessionLog } from './foreign-session-log.ts'
import { LargeMap } from './large-map.ts'
import type { Transcript, TranscriptReader } from './transcript.ts'

const line = z.looseObject({
  type: z.string(),
  uuid: z.string().nullish(),
  parentUuid: z.string().nullish(),
  sessionId: z.string().nullish(),
  timestamp: z.string().nullish(),
  cwd: z.string().nullish(),
  isSidechain: z.boolean().nullish(),
  isMeta: z.boolean().nullish(),
  /** Whether the message is the summary that replaces the conversation so far. */
  isCompactSummary: z.boolean().nullish(),
  /** The id of the subagent to which the line belongs, if the subagent's lines are in a file of their own. */
  agentId: z.string().nullish(),
  content: z.unknown().optional(),
  message: z
    .looseObject({
      id: z.string().nullish(),
      model: z.string().nullish(),
      content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]),
      usage: z.unknown().optional(),
    })
    .nullish(),
})
type Line = z.infer<typeof line>

const typedPart = z.looseObject({ type: z.string() })
const textPart = z.looseObject({ type: z.literal('text'), text: z.string() })
const thinkingPart = z.looseObject({ type: z.literal('thinking'), thinking: z.string() })
const usePart = z.looseObject({ type: z.literal('tool_use'), id: z.string().min(1), name: z.string(), input: z.unknown().optional() })
const resultPart = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.unknown().optional(),
  is_error: z.boolean().nullish(),
})
const count = z.number().nonnegative().catch(0)
const usageShape = z.looseObject({
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
})
const editResult = z.looseObject({
  filePath: z.string(),
  originalFile: z.string().nullable(),
  oldString: z.string(),
  newString: z.string(),
  replaceAll: z.boolean().catch(false),
})
const agentResult = z.looseObject({ agentId: z.string() })
const writeResult = z.looseObject({ filePath: z.string(), content: z.string(), originalFile: z.string().nullish() })

const ABANDONED = 'Entries of abandoned branches'
const BOOKKEEPING = 'Internal notes of the program'
const REPEATED = 'Lines that repeat others'

/** Kinds of lines that contain no part of the conversation. */
const NOTES: ReadonlySet<string> = new Set([
  'attachment',
  'file-history-snapshot',
  'queue-operation',
  'progress',
  'last-prompt',
  'mode',
  'permission-mode',
  'agent-name',
])

/** A subagent whose lines are in a file of its own. `callId` is the id of the call that started it; null while that is unknown. */
interface OwnAgent {
  readonly log: ForeignSessionLog
  agentType: string | null
  callId: string | null
}

/** The text that stands for a long output. It names the file that has the complete output. */
const SAVED_OUTPUT = /^<persisted-output>\r?\n[^\n]*[\\/]tool-results[\\/]([\w-]+\.txt)\r?\n/u

/** What Claude Code notes about a subagent in `agent-<id>.meta.json`. */
export const subagentFacts = z.looseObject({ agentType: z.string().nullish(), toolUseId: z.string().nullish() })

/** An answer that arrives in several lines, each with one part. */
interface Pending {
  readonly id: string | null
  readonly log: ForeignSessionLog
  readonly at: number
  readonly model: string
  readonly parts: ContentPart[]
  usage: Usage | undefined
}

/** Reads a transcript of Claude Code (`~/.claude/projects/<folder>/<id>.jsonl`). */
export class ClaudeLines implements TranscriptReader {
  private readonly blobs = new Map<BlobHash, Uint8Array>()
  private readonly leftOut = new Map<string, number>()
  private readonly main = new ForeignSessionLog('main', this.blobs)
  private readonly logs: ForeignSessionLog[] = [this.main]
  private readonly logOf = new LargeMap<string, ForeignSessionLog>()
  private readonly agents = new Map<string, OwnAgent>()
  private readonly uuids = new LargeMap<string, true>()
  /** Keyed by the id of each line that a user's message follows: the number of events that the log had before that message. */
  private readonly promptAfter = new LargeMap<string, number>()
  /** The keys of `promptAfter`. Their marks never decrease. */
  private readonly promptParents: string[] = []
  private pending: Pending | null = null
  private savedOutputs: ReadonlyMap<string, string> = new Map()
  private unknown = 0
  private hasLines = false
  private isConversation = false
  private at = 0

  private readonly skip = (why: string, lines = 1): void => void this.leftOut.set(why, (this.leftOut.get(why) ?? 0) + lines)
  private readonly flush = (): void => {
    const answer = this.pending
    this.pending = null
    answer?.log.answer(answer.at, answer.model, answer.parts, answer.usage)
  }
  private readonly keepUnknown = (raw: string): void => {
    this.flush()
    this.unknown++
    this.main.unknown(this.at, raw)
  }
  private readonly logFor = ({ isSidechain, parentUuid, uuid, agentId }: Line): ForeignSessionLog => {
    if (!isSidechain) return this.main
    if (agentId) return this.agent(agentId).log
    const known = parentUuid ? this.logOf.get(parentUuid) : undefined
    const log = known ?? childLog(this.main, this.logs, this.blobs)
    if (uuid) this.logOf.set(uuid, log)
    return log
  }
  private readonly agent = (agentId: string): OwnAgent => {
    const known = this.agents.get(agentId)
    if (known) return known
    const made: OwnAgent = { log: new ForeignSessionLog(`agent-${agentId}`, this.blobs), agentType: null, callId: null }
    this.agents.set(agentId, made)
    return made
  }
  private readonly prompted = (found: Line, log: ForeignSessionLog, text: string): void => {
    const { parentUuid } = found
    if (log === this.main && parentUuid) {
      const mark = this.promptAfter.get(parentUuid)
      if (mark === undefined) {
        this.promptAfter.set(parentUuid, log.mark())
        this.promptParents.push(parentUuid)
      } else {
        this.skip(ABANDONED, log.backTo(mark))
        this.forgetPromptsAfter(mark)
      }
    }
    log.prompt(this.at, text)
  }
  private readonly forgetPromptsAfter = (mark: number): void => {
    for (;;) {
      const newest = this.promptParents.at(-1)
      if (newest === undefined || (this.promptAfter.get(newest) ?? 0) <= mark) return
      this.promptAfter.delete(newest)
      this.promptParents.pop()
    }
  }
  private readonly person = (found: Line, log: ForeignSessionLog, raw: string): void => {
    const content = found.message?.content ?? ''
    if (found.isMeta) return this.skip(BOOKKEEPING)
    this.flush()
    if (found.isCompactSummary)
      return log.note(this.at, 'Claude Code replaced the conversation so far with this summary.', resultText(content))
    if (typeof content === 'string') return this.prompted(found, log, content)
    const texts: string[] = []
    let isUnknown = false
    for (const part of content) {
      const result = resultPart.safeParse(part)
      const text = textPart.safeParse(part)
      if (result.success) {
        const { tool_use_id: callId, is_error: isError } = result.data
        recordChange(log, callId, found['toolUseResult'])
        this.startedBy(callId, result.data.content, found['toolUseResult'])
        const output = this.completeOutput(resultText(result.data.content))
        if (!log.result(callId, output, { at: this.at, isError: isError ?? false })) isUnknown = true
      } else if (text.success) texts.push(text.data.text)
      else if (part.type === 'image') texts.push('[picture]')
      else isUnknown = true
    }
    if (isUnknown) this.keepUnknown(raw)
    if (texts.length > 0) this.prompted(found, log, texts.join('\n'))
  }
  /** A long output is in a file of its own, and the line only has its beginning. Without the file, the line is all there is. */
  private readonly completeOutput = (text: string): string => this.savedOutputs.get(SAVED_OUTPUT.exec(text)?.[1] ?? '') ?? text
  /** Remembers which subagent a call started. The result of the call names the subagent. */
  private readonly startedBy = (callId: string, content: unknown, details: unknown): void => {
    const named = agentResult.safeParse(details).data?.agentId ?? /^agentId: ([\w-]+)/mu.exec(resultText(content))?.[1]
    if (named) this.agent(named).callId ??= callId
  }
  private readonly noted = (found: Line, log: ForeignSessionLog): void => {
    const { content } = found
    if (typeof content !== 'string' || content === '') return this.skip(BOOKKEEPING)
    this.flush()
    log.note(this.at, 'Claude Code noted this.', content)
  }
  private readonly answered = ({ message }: Line, log: ForeignSessionLog, raw: string): void => {
    if (!message) return this.keepUnknown(raw)
    const id = message.id ?? null
    if (!this.pending || id === null || this.pending.id !== id || this.pending.log !== log) {
      this.flush()
      this.pending = { id, log, at: this.at, model: message.model ?? '', parts: [], usage: undefined }
    }
    // Each line of an answer repeats the answer's usage. Only the usage in the last line is correct.
    this.pending.usage = usageOf(message.usage) ?? this.pending.usage
    const parts = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content
    const read = parts.map(partOf)
    this.pending.parts.push(...read.filter((part) => part !== null))
    if (read.includes(null)) this.keepUnknown(raw)
  }

  /** `savedOutputs`: by file name, the complete outputs that the line refers to. */
  add(value: unknown, raw: string, savedOutputs: ReadonlyMap<string, string> = new Map()): void {
    this.savedOutputs = savedOutputs
    const parsed = line.safeParse(value)
    if (!parsed.success) return this.keepUnknown(raw)
    const found = parsed.data
    if (found.uuid && this.uuids.has(found.uuid)) return this.skip(REPEATED)
    if (found.uuid) this.uuids.set(found.uuid, true)
    this.hasLines = true
    this.at = timeOf(found.timestamp) ?? this.at
    if (found.cwd && !this.isConversation) this.main.describe({ cwd: found.cwd })
    const log = this.logFor(found)
    if (found.cwd && log !== this.main && log.folder === '') log.describe({ cwd: found.cwd })
    switch (found.type) {
      case 'user':
        this.isConversation = true
        return this.person(found, log, raw)
      case 'assistant':
        this.isConversation = true
        if (found.message?.model) log.describe({ model: found.message.model })
        return this.answered(found, log, raw)
      case 'system':
        return this.noted(found, log)
      case 'summary':
      case 'custom-title':
      case 'ai-title': {
        const name = found['customTitle'] ?? found['aiTitle'] ?? found['title'] ?? found['summary']
        this.flush()
        return typeof name === 'string' ? this.main.renamed(this.at, name) : this.keepUnknown(raw)
      }
      default:
        return NOTES.has(found.type) ? this.skip(BOOKKEEPING) : this.keepUnknown(raw)
    }
  }

  /** Adds what Claude Code notes about a subagent whose lines are in a file of its own. */
  describeAgent(agentId: string, { agentType, toolUseId }: z.infer<typeof subagentFacts>): void {
    const own = this.agent(agentId)
    own.agentType = agentType ?? own.agentType
    own.callId = toolUseId ?? own.callId
  }

  end(): Transcript | null {
    this.flush()
    const logs = [...this.logs, ...this.linkedAgents()]
    return this.hasLines && this.isConversation
      ? { source: 'claude', sessions: logs.map((log) => log.end()), blobs: this.blobs, unknown: this.unknown, leftOut: this.leftOut }
      : null
  }

  /** The subagents with files of their own, each after the session that started it. */
  private linkedAgents(): readonly ForeignSessionLog[] {
    const waiting = new Set([...this.agents.values()].filter(({ log }) => log.mark() > 0))
    const linked = [{ log: this.main, depth: 0 }]
    const link = (own: OwnAgent, parent: (typeof linked)[number], toolCallId: ToolCallId): void => {
      const depth = parent.depth + 1
      own.log.describe(
        { cwd: own.log.folder || this.main.folder },
        {
          sessionId: parent.log.id as SessionId,
          toolCallId,
          agentType: own.agentType ?? 'task',
          depth,
          readsOnly: false,
          lease: NO_LEASE,
        },
      )
      linked.push({ log: own.log, depth })
      waiting.delete(own)
    }
    for (const parent of linked)
      for (const own of waiting) {
        const call = own.callId === null ? null : parent.log.callOf(own.callId)
        if (call) link(own, parent, call)
      }
    for (const own of waiting) link(own, { log: this.main, depth: 0 }, 'unknown' as ToolCallId)
    return linked.slice(1).map(({ log }) => log)
  }
}

/** Creates the log of a subagent. Its call is assumed to be the newest call of `main` that has no result yet. */
function childLog(main: ForeignSessionLog, logs: ForeignSessionLog[], blobs: Map<BlobHash, Uint8Array>): ForeignSessionLog {
  const log = new ForeignSessionLog(`child-${logs.length}`, blobs)
  logs.push(log)
  log.describe(
    { cwd: main.folder },
    {
      sessionId: main.id as SessionId,
      toolCallId: main.newestOpen() ?? ('unknown' as ToolCallId),
      agentType: 'task',
      depth: 1,
      readsOnly: false,
      lease: NO_LEASE,
    },
  )
  return log
}

function partOf(part: { readonly type: string }): ContentPart | null {
  const text = textPart.safeParse(part)
  if (text.success) return { kind: 'text', text: text.data.text }
  const thinking = thinkingPart.safeParse(part)
  // The signature is valid only for the account for which it was made.
  if (thinking.success) return { kind: 'thinking', text: thinking.data.thinking, signature: null }
  const use = usePart.safeParse(part)
  if (!use.success) return null
  const { id, name, input } = use.data
  return { kind: 'tool_call', toolCallId: id as ToolCallId, toolName: canonicalToolName(name), argsText: JSON.stringify(input ?? {}) }
}

function recordChange(log: ForeignSessionLog, callId: string, result: unknown): void {
  const edit = editResult.safeParse(result)
  if (edit.success) {
    const { filePath, originalFile, oldString, newString, replaceAll } = edit.data
    const before = originalFile ?? ''
    const after = replaceAll ? before.replaceAll(oldString, () => newString) : before.replace(oldString, () => newString)
    return log.changed(callId, filePath, originalFile, after)
  }
  const write = writeResult.safeParse(result)
  if (write.success) log.changed(callId, write.data.filePath, write.data.originalFile ?? null, write.data.content)
}

function resultText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return content === undefined ? '' : JSON.stringify(content)
  return content.map((part) => textPart.safeParse(part).data?.text ?? `[${typedPart.safeParse(part).data?.type ?? 'unknown'}]`).join('\n')
}

function usageOf(value: unknown): Usage | undefined {
  const found = usageShape.safeParse(value)
  if (!found.success) return undefined
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } = found.data
  return {
    input: input_tokens,
    output: output_tokens,
    cacheRead: cache_read_input_tokens,
    cacheWrite: cache_creation_input_tokens,
    reasoning: 0,
  }
}

function timeOf(text: string | null | undefined): number | null {
  const at = text ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? null : at
}
