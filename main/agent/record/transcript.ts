import type { ToolCallId } from '../../../shared/lib/ids.ts'
import type { ToolCallPart } from '../../../shared/session/content.ts'
import type { DurableEvent, StopReason } from '../../../shared/session/events.ts'
import { moveOf } from '../../../shared/session/fold/fold-rollback.ts'
import { undoNews } from '../../../shared/session/rollback.ts'
import type { PersonMessage } from '../../../shared/session/person-message.ts'
import type { AssistantTurn, LoggedTurn, ToolResultsTurn, UserTurn } from '../../../shared/session/conversation-turns.ts'

type Result = ToolResultsTurn['results'][number]

/** The calls of the newest answer, as long as some have no result. */
interface OpenRound {
  readonly stopReason: StopReason
  readonly calls: readonly ToolCallPart[]
  isEnded(toolCallId: ToolCallId): boolean
}

/**
 * The conversation as the model sees it, derived from the log event by event. Existing turns remain the same objects. It contains only
 * complete turns: broken answers are left out, and an answer with calls is added together with all its results in call order, so that
 * every call in `turns()` always has exactly one result.
 */
export interface Transcript {
  /** `seq`: the number of the event, or 0 if it does not matter. */
  add(event: DurableEvent, seq?: number): void
  /** The turns of the next request. After a compaction: the summary, the kept turns, and the turns that came later. */
  turns(): readonly LoggedTurn[]
  /** The complete conversation, as if it had never been compacted. */
  all(): readonly LoggedTurn[]
  openRound(): OpenRound | null
  /**
   * The lowest `seq` of the events that are needed to rebuild the turns after the newest summary. 0 if the conversation was never
   * compacted.
   */
  neededFrom(): number
  /**
   * Whether the session already has a call with this id. Ids must be unique within a session, but some services use the same ids again in
   * each answer.
   */
  isKnownCall(toolCallId: string): boolean
}

export function createTranscript(): Transcript {
  const kept = createKeptTurns()
  const begunAt = new WeakMap<LoggedTurn, number>()
  let adding = 0
  const known = new Set<string>()
  let open: OpenAnswer | null = null

  const push = (turn: LoggedTurn): void => {
    begunAt.set(turn, adding)
    if (open) open.held.push(turn)
    else kept.push(turn)
  }
  const answer = (event: Extract<DurableEvent, { kind: 'ASSISTANT_TURN' }>): void => {
    const { parts: content, provider, model, usage, responseId, stopReason } = event
    if (!event.complete || content.length === 0) return
    const turn: AssistantTurn = { kind: 'assistant', content, provider, model, usage, responseId }
    const calls = content.filter((part) => part.kind === 'tool_call')
    for (const call of calls) known.add(call.toolCallId)
    if (calls.length === 0) return push(turn)
    const results = new Map<ToolCallId, Result>()
    begunAt.set(turn, adding)
    // A log that Countersign wrote never has two open rounds. In a damaged log, the calls of the older round can no longer get results. That
    // round is left out, and the turns after it are kept.
    if (open) kept.push(...open.held)
    open = { turn, round: { stopReason, calls, isEnded: (id) => results.has(id) }, results, held: [] }
  }
  const result = (event: Extract<DurableEvent, { kind: 'TOOL_CALL_END' }>): void => {
    const call = open?.round.calls.find(({ toolCallId: id }) => id === event.toolCallId)
    if (!open || !call || open.results.has(event.toolCallId)) return
    const { toolCallId, isError } = event
    // The name is the one that the model used, for services that pair results by name.
    const { toolName, freeForm } = call
    open.results.set(toolCallId, { toolCallId, toolName, ...(freeForm && { freeForm }), output: event.modelText ?? event.output, isError })
    if (open.results.size < open.round.calls.length) return
    const { turn, round, results, held } = open
    open = null
    kept.push(turn, { kind: 'tool_results', results: round.calls.flatMap((call) => results.get(call.toolCallId) ?? []) }, ...held)
  }

  const moveTo = (to: number): void => {
    kept.moveTo(to)
    open = null
  }

  return {
    add(event, seq = 0) {
      adding = seq
      if (event.kind === 'USER_INPUT') push({ kind: 'user', content: contentOf(event) })
      else if (event.kind === 'STEERING_INJECTED')
        push({ kind: 'steering', content: contentOf(event), ...(event.by === 'loop' && { by: event.by }) })
      else if (event.kind === 'CONVERSATION_MOVED') moveTo(event.to)
      else if (event.kind === 'ROLLED_BACK') {
        const move = moveOf(event)
        if (move) moveTo(move.to)
        else if (event.files.length + (event.folders ?? []).length > 0) push({ kind: 'steering', content: undoNews(event), by: 'loop' })
      } else if (event.kind === 'ASSISTANT_TURN') answer(event)
      else if (event.kind === 'TOOL_CALL_END') result(event)
      else if (event.kind === 'COMPACTED') kept.compact({ kind: 'user', content: event.text }, event.kept)
      else if (event.kind === 'COMPACTION_UNDONE') kept.undoCompaction()
      kept.mark(seq)
    },
    turns() {
      const { turns, compaction } = kept.now()
      return compaction ? [compaction.summary, ...turns.slice(compaction.from)] : turns.slice()
    },
    all: () => kept.now().turns.slice(),
    openRound: () => open?.round ?? null,
    neededFrom() {
      const { turns, compaction: newest } = kept.now()
      if (!newest || newest.from < 0) return 0
      // The events of a round begin with the answer that made the calls, so the log is needed from that answer on.
      const first = turns.slice(0, newest.from + 1).findLast((turn) => begunAt.has(turn))
      const known = [newest.from < turns.length ? first : undefined, open?.turn].flatMap((turn) => (turn && begunAt.get(turn)) ?? [])
      return Math.min(adding, ...known)
    },
    isKnownCall: (toolCallId) => known.has(toolCallId),
  }
}

/** An answer whose calls have not all ended. `held`: turns that will follow the results of these calls. */
interface OpenAnswer {
  readonly turn: AssistantTurn
  readonly round: OpenRound
  readonly results: Map<ToolCallId, Result>
  readonly held: LoggedTurn[]
}

/** Keeps the complete turns: the current turns, and the turns as they were right after each marked event. */
function createKeptTurns() {
  let turns: LoggedTurn[] = []
  /** Only the newest compaction applies. Undoing it restores the compaction before it. */
  let compactions: readonly Compaction[] = []
  const marks: Mark[] = []
  return {
    now: (): { readonly turns: readonly LoggedTurn[]; readonly compaction: Compaction | undefined } => ({
      turns,
      compaction: compactions.at(-1),
    }),
    push: (...more: readonly LoggedTurn[]): void => void turns.push(...more),
    /** `keptTurns`: how many of the newest turns remain unchanged. */
    compact(summary: LoggedTurn, keptTurns: number): void {
      compactions = [...compactions, { summary, from: turns.length - keptTurns }]
    },
    undoCompaction(): void {
      compactions = compactions.slice(0, -1)
    },
    /** Records that the current turns are those right after the event `seq`. */
    mark(seq: number): void {
      const last = marks.at(-1)
      if (last?.turns === turns && last.length === turns.length && last.compactions === compactions) return
      marks.push({ seq, turns, length: turns.length, compactions })
    },
    /** Restores the turns as they were right after the event `to`. */
    moveTo(to: number): void {
      const mark = marks.findLast(({ seq }) => seq <= to)
      turns = mark ? mark.turns.slice(0, mark.length) : []
      compactions = mark?.compactions ?? []
    },
  }
}

/** The turn that replaces everything before `from`. */
interface Compaction {
  readonly summary: LoggedTurn
  readonly from: number
}

/** The turns right after the event `seq`: the first `length` elements of `turns`. */
interface Mark {
  readonly seq: number
  readonly turns: readonly LoggedTurn[]
  readonly length: number
  readonly compactions: readonly Compaction[]
}

/** Pictures come before the text, as vendors recommend. */
function contentOf({ text, pictures = [] }: PersonMessage): Extract<LoggedTurn, UserTurn<unknown>>['content'] {
  if (pictures.length === 0) return text
  return [...pictures, ...(text === '' ? [] : [{ kind: 'text', text } as const])]
}
