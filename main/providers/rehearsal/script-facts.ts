import type { ConversationBlock, ConversationMessage } from './read-conversation.ts'

/** A call that the script made, and its outcome. */
export interface PastCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly outcome: Outcome
}

/**
 * `refused`: the user refused, with or without a note. `unasked`: nobody was there to sign. `blocked`: the mode did not allow the call.
 * `stopped`: the call was stopped before or while it ran. `failed` and `done`: the tool's own result. `text` is the tool's output.
 */
type Outcome =
  | { readonly kind: 'done' | 'failed' | 'stopped' | 'blocked' | 'unasked'; readonly text: string }
  | { readonly kind: 'refused'; readonly note: string | null }

/**
 * The facts that the script takes from the conversation of a request. The script depends on nothing else: it has no clock and does not
 * count requests.
 */
export interface History {
  /** The user's first message. */
  readonly opening: string
  readonly calls: readonly PastCall[]
  /** The user's messages since the script's last answer. */
  readonly said: readonly string[]
  /** Whether the script has answered before. */
  readonly hasSpoken: boolean
  /** Whether the script's last answer ended a turn, so that this is a new turn. */
  readonly isNewTurn: boolean
}

export function historyOf(messages: readonly ConversationMessage[]): History {
  const results = new Map<string, Outcome>()
  const all = messages.flatMap(({ blocks }) => blocks)
  for (const block of all) if (block.kind === 'result') results.set(block.id, outcomeOf(block))
  const calls = all.flatMap((block): readonly PastCall[] => {
    if (block.kind !== 'call') return []
    return [{ name: block.name, args: block.args, outcome: results.get(block.id) ?? { kind: 'stopped', text: '' } }]
  })
  const spoken = messages.findLastIndex(({ role }) => role === 'assistant')
  // Some formats send an answer as several messages, one per part.
  const before = messages.slice(0, spoken + 1).findLastIndex(({ role }) => role === 'user')
  const answer = messages.slice(before + 1, spoken + 1).flatMap(({ blocks }) => blocks)
  return {
    opening: messages.flatMap(textsOf)[0] ?? '',
    calls,
    said: messages.slice(spoken + 1).flatMap(textsOf),
    hasSpoken: spoken !== -1,
    isNewTurn: spoken !== -1 && answer.every(({ kind }) => kind !== 'call'),
  }
}

function textsOf({ role, blocks }: ConversationMessage): readonly string[] {
  return role === 'user' ? blocks.flatMap((block) => (block.kind === 'text' ? [block.text.trim()] : [])) : []
}

/** Recognizes the outcome by the texts that dispatch writes. See `refusalText` and `stopOf` there. */
function outcomeOf({ text, isError }: Extract<ConversationBlock, { kind: 'result' }>): Outcome {
  if (!isError) return { kind: 'done', text }
  const refused = /^The user denied this call; nothing was executed\.(?: The user says: ([\s\S]*))?$/.exec(text)
  if (refused) return { kind: 'refused', note: refused[1]?.trim() || null }
  if (text.startsWith('Denied: nobody can be asked')) return { kind: 'unasked', text }
  if (/^(Cancelled by the user|Interrupted)/.test(text)) return { kind: 'stopped', text }
  if (text.trimEnd().endsWith('Nothing was executed.')) return { kind: 'blocked', text }
  return { kind: 'failed', text }
}
