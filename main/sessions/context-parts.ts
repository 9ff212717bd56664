import { LOOKING_TOOLS } from '../../shared/tools/catalogue.ts'
import type { ContextPart, ContextPartName } from '../../shared/api/sessions.ts'
import type { BlobHash } from '../../shared/lib/ids.ts'
import type { LoggedTurn, ToolResultsTurn } from '../../shared/session/conversation-turns.ts'
import { estimateTokens, tokensOfChars } from '../agent/compaction/estimate-tokens.ts'
import type { BlobStore } from '../agent/ports/blob-store.ts'
import type { SessionRecord } from '../agent/record/session-record.ts'
import { StorageError } from '../agent/storage-error.ts'
import { promptParts } from '../prompt/build-system-prompt.ts'

/**
 * The parts of the next request by origin, in tokens estimated from characters. Empty parts are left out. The list is empty before the
 * first request.
 */
export function contextPartsOf(record: SessionRecord, blobs: Pick<BlobStore, 'get'>): readonly ContextPart[] {
  const { context, transcript } = record.memory()
  const named = context.newest()
  if (!named) return []
  const { prompt, documents } = promptParts(storedText(blobs, named.system.hash))
  const isCompacted = record.state().compactions.length > 0
  const tokens: Partial<Record<ContextPartName, number>> = {
    prompt: tokensOfChars(prompt),
    documents: tokensOfChars(documents),
    tools: tokensOfChars(named.tools.bytes),
  }
  transcript.turns().forEach((turn, index) => {
    for (const [part, more] of partsOf(turn, isCompacted && index === 0)) tokens[part] = (tokens[part] ?? 0) + more
  })
  return ORDER.flatMap((part) => (tokens[part] ? [{ part, tokens: tokens[part] }] : []))
}

const ORDER: readonly ContextPartName[] = ['prompt', 'documents', 'tools', 'summary', 'said', 'answers', 'files', 'results']

function partsOf(turn: LoggedTurn, isSummary: boolean): readonly (readonly [ContextPartName, number])[] {
  switch (turn.kind) {
    case 'user':
    case 'steering':
    case 'system':
      return [[isSummary ? 'summary' : 'said', estimateTokens([turn])]]
    case 'assistant':
      return [['answers', estimateTokens([turn])]]
    case 'tool_results':
      return turn.results.map((result) => [LOOKING_TOOLS.has(result.toolName) ? 'files' : 'results', tokensOfResult(result)])
  }
}

function tokensOfResult(result: ToolResultsTurn['results'][number]): number {
  return estimateTokens([{ kind: 'tool_results', results: [result] }])
}

/** The text with this hash; empty if it is no longer stored. */
function storedText(blobs: Pick<BlobStore, 'get'>, hash: BlobHash): string {
  try {
    return new TextDecoder().decode(blobs.get(hash))
  } catch (error) {
    if (error instanceof StorageError) return ''
    throw error
  }
}
