import type { ContentBlockParam, MessageParam, ToolResultBlockParam } from '@anthropic-ai/sdk/resources/messages'

/** A call of the script and what became of it. */
export interface PastCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly outcome: Outcome
}

/**
 * `refused` by the person, with what they said; `unasked`: nobody is there who could sign; `barred` by the mode; `stopped` before or while
 * it ran; `failed` and `done` as the tool says. `text` is what the tool answered.
 */
export type Outcome =
  | { readonly kind: 'done' | 'failed' | 'stopped' | 'barred' | 'unasked'; readonly text: string }
  | { readonly kind: 'refused'; readonly note: string | null }

/** A request seen as the story so far. The script knows nothing but this: no clock, no count of requests. */
export interface History {
  /** The first thing that the person said. */
  readonly opening: string
  readonly calls: readonly PastCall[]
  /** What the person said since the script's last answer. */
  readonly said: readonly string[]
  /** Whether the script has answered before. */
  readonly hasSpoken: boolean
  /** The script's last answer ended the turn before, so that the person has begun another. */
  readonly isNewTurn: boolean
}

export function historyOf(messages: readonly MessageParam[]): History {
  const results = new Map<string, Outcome>()
  const all = messages.flatMap(blocksOf)
  for (const block of all) if (block.type === 'tool_result') results.set(block.tool_use_id, outcomeOf(block))
  const calls = all.flatMap((block): readonly PastCall[] => {
    if (block.type !== 'tool_use') return []
    const outcome = results.get(block.id) ?? { kind: 'stopped', text: '' }
    return [{ name: block.name, args: (block.input ?? {}) as Readonly<Record<string, unknown>>, outcome }]
  })
  const spoken = messages.findLastIndex(({ role }) => role === 'assistant')
  const answer = spoken === -1 ? [] : blocksOf(messages[spoken])
  return {
    opening: messages.flatMap(textsOf)[0] ?? '',
    calls,
    said: messages.slice(spoken + 1).flatMap(textsOf),
    hasSpoken: spoken !== -1,
    isNewTurn: spoken !== -1 && answer.every((block) => block.type !== 'tool_use'),
  }
}

function blocksOf(message: MessageParam | undefined): readonly ContentBlockParam[] {
  const content = message?.content ?? []
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

function textsOf(message: MessageParam): readonly string[] {
  return message.role === 'user' ? blocksOf(message).flatMap((block) => (block.type === 'text' ? [block.text.trim()] : [])) : []
}

/** Told by the words that dispatch uses; see `refusalText` and `stopOf` there. */
function outcomeOf({ content, is_error }: ToolResultBlockParam): Outcome {
  const text = typeof content === 'string' ? content : (content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('\n')
  if (!is_error) return { kind: 'done', text }
  const refused = /^The user denied this call; nothing was executed\.(?: The user says: ([\s\S]*))?$/.exec(text)
  if (refused) return { kind: 'refused', note: refused[1]?.trim() || null }
  if (text.startsWith('Denied: nobody can be asked')) return { kind: 'unasked', text }
  if (/^(Cancelled by the user|Interrupted)/.test(text)) return { kind: 'stopped', text }
  return { kind: text.trimEnd().endsWith('Nothing was executed.') ? 'barred' : 'failed', text }
}
