import { partsText } from '../../../shared/session/content.ts'
import type { DurableEvent, Trouble } from '../../../shared/session/events.ts'
import type { LoggedTurn, Turn } from '../../../shared/session/conversation-turns.ts'
import type { Model, RequestWithRetries, RetryOptions } from '../ports/model.ts'
import type { ModelAnswer, ModelRequest, ProviderFailure } from '../ports/provider.ts'
import { estimateBeside, estimateTokens } from './estimate-tokens.ts'
import { notesApart, pinnedMessages, plainSummary, shortenedTurns, summaryText, summaryTurns, type SummaryWish } from './summary.ts'

type Compacted = Extract<DurableEvent, { kind: 'COMPACTED' }>

export interface CompactionParts extends SummaryWish {
  readonly model: Model
  readonly request: RequestWithRetries
  /**
   * The next request without its turns. The request for the summary has the same system prompt and tools, so that the service's cache of
   * the conversation is used.
   */
  readonly asked: Omit<ModelRequest, 'turns'>
  /** `turns`: the conversation as the model sees it now. `all`: the complete conversation. */
  readonly turns: readonly LoggedTurn[]
  readonly all: readonly LoggedTurn[]
  /** Returns these turns as they are sent to the service. */
  shown(turns: readonly LoggedTurn[]): readonly Turn[]
  /** Number of context tokens in use. */
  readonly tokens: number
  /** The text of the project's memory file, which is kept word for word. Empty if there is none. */
  readonly memory: string
  /** Texts to keep word for word. */
  readonly keep: readonly string[]
  readonly signal: AbortSignal
  readonly retries: Omit<RetryOptions, 'signal'>
  onNotice(trouble: Trouble): void
}

export type Compaction =
  | { readonly kind: 'compacted'; readonly event: Compacted; readonly answer: ModelAnswer }
  /** There was nothing to summarize before the newest turns. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'failed'; readonly failure: ProviderFailure; readonly answer: ModelAnswer }

/**
 * Shares of the context window: `KEEP` is kept word for word, `FIT` is what the summary request may fill if the complete conversation no
 * longer fits.
 */
const KEEP = 0.2
const FIT = 0.6

/** Asks the model for a summary of all but the newest turns. Appends nothing, and rejects only with the signal's reason. */
export async function compact(parts: CompactionParts): Promise<Compaction> {
  const { turns, all, tokens, why, model, memory, keep, asked } = parts
  const window = model.inputLimit ?? model.contextWindow ?? tokens
  // Compaction that the user asks for must make room even if the conversation is much shorter than the window.
  const kept = keptTurns(turns, KEEP * (why === 'manual' ? Math.min(tokens, window) : window))
  if (kept === null) return { kind: 'nothing' }
  const dropped = turns.slice(0, turns.length - kept)
  const end = await summaryOf(parts, window)
  if (end.kind === 'failure') return { kind: 'failed', failure: end.failure, answer: end.partial }
  const { summary: written, notes } = notesApart(partsText(end.answer.parts).trim())
  const pinned = pinnedMessages(all.slice(0, all.length - kept))
  const text = summaryText(written === '' ? plainSummary(dropped) : written, pinned, {
    memory: asked.system.includes(memory) ? '' : memory,
    keep,
    notes: parts.proposesNotes ? notes : [],
  })
  const left = estimateTokens([{ kind: 'user', content: text }, ...turns.slice(turns.length - kept)]) + estimateBeside(asked)
  const receipt = { dropped: dropped.length, pinned: pinned.texts.length, tokensBefore: tokens, tokensAfter: Math.min(left, tokens) }
  return { kind: 'compacted', answer: end.answer, event: { kind: 'COMPACTED', why, text, kept, ...receipt } }
}

/** Sends the conversation unchanged if it fits, so that the service's cache can be used. Otherwise sends it shortened. */
async function summaryOf(parts: CompactionParts, window: number) {
  const { turns, tokens, why } = parts
  const fits = why !== 'overflow' && tokens < window
  const end = fits ? await answerTo(parts, summaryTurns(turns, parts)) : null
  if (end && !(end.kind === 'failure' && end.failure.code === 'context_length')) return end
  return answerTo(parts, summaryTurns(shortenedTurns(turns, FIT * window), parts))
}

async function answerTo({ request, model, asked, shown, signal, retries, onNotice }: CompactionParts, turns: readonly LoggedTurn[]) {
  const events = request(model.provider, { ...asked, turns: shown(turns) }, { signal, ...retries })
  for await (const event of events) {
    if (event.kind === 'notice') onNotice(event.trouble)
    if (event.kind !== 'finish' && event.kind !== 'failure') continue
    signal.throwIfAborted()
    return event
  }
  throw new Error('The stream of a provider ended without a finish event or a failure event.')
}

/**
 * How many of the newest turns stay unchanged: as many as fit in `keepTokens`. They start at an answer or a message, never between calls
 * and their results. Null if there is nothing before them to summarize.
 */
export function keptTurns(turns: readonly LoggedTurn[], keepTokens: number): number | null {
  let kept = 0
  let tokens = 0
  for (let from = turns.length - 1; from > 0; from--) {
    const turn = turns[from]
    if (turn === undefined) break
    tokens += estimateTokens([turn])
    if (tokens > keepTokens) break
    // Results without their calls would be invalid.
    if (turn.kind !== 'tool_results') kept = turns.length - from
  }
  return turns.length > 1 ? kept : null
}
