import type { ContentPart } from '../../../shared/session/content.ts'
import { callId } from '../answer/answer-reader.ts'
import { countOr, type Fields, optional, textOr } from '../answer/untyped-fields.ts'

export interface ChatCall {
  readonly index: number
  id: string
  name: string
  args: string
  /** The call's `extra_content` (Gemini's signature) as JSON, to be sent back with it. */
  extra: string | null
}

/**
 * Assembles an answer's calls from pieces. A piece belongs to the call with its `index`. Without an index, it belongs to the call with its
 * id. Without both, it belongs to the newest call. Id and name may come late or be repeated. A piece with a new id and a name starts
 * another call even if its index is in use, because some servers use one index for all.
 */
export class ChatCalls {
  readonly all: ChatCall[] = []

  take(piece: Fields): ChatCall {
    const made = optional(piece['function'])
    const id = idIn(piece)
    const name = textOr(made['name'], '')
    const args = argsIn(made['arguments'])
    const index = indexIn(piece)
    const known = this.#known(index, id)
    const call = known && !beginsAnother(known, { id, name, args }) ? known : this.#begin(index)
    call.id ||= id
    call.name ||= name
    call.args += args
    call.extra ??= extraIn(piece)
    return call
  }

  #known(index: number | null, id: string): ChatCall | undefined {
    if (index !== null) return this.all.findLast((call) => call.index === index)
    return id === '' ? this.all.at(-1) : this.all.find((call) => call.id === id)
  }

  #begin(index: number | null): ChatCall {
    const call: ChatCall = { index: index ?? this.all.length, id: '', name: '', args: '', extra: null }
    this.all.push(call)
    return call
  }

  parts(answerId: string | null): readonly ContentPart[] {
    const calls = this.all.toSorted((a, b) => a.index - b.index)
    return calls.map(({ id, name, args, extra }, place) => ({
      kind: 'tool_call',
      toolCallId: callId(id, `${answerId ?? 'call'}_${place}`),
      toolName: name,
      argsText: args,
      ...(extra !== null && { signature: extra }),
    }))
  }
}

/** Some servers send the text "null" as the id of later pieces. */
function idIn({ id }: Fields): string {
  return typeof id === 'string' && id !== 'null' ? id : ''
}

/** Reads the index, a number or digits in a string; null if there is none. */
function indexIn({ index }: Fields): number | null {
  const count = countOr(typeof index === 'string' && /^\d{1,4}$/.test(index) ? Number(index) : index, -1)
  return count < 0 ? null : count
}

function extraIn({ extra_content: extra }: Fields): string | null {
  return extra !== null && typeof extra === 'object' ? JSON.stringify(extra) : null
}

/** Some servers send arguments as an object instead of JSON text. */
function argsIn(args: unknown): string {
  if (typeof args === 'string') return args
  return args === null || args === undefined ? '' : JSON.stringify(args)
}

/**
 * Whether a piece begins another call. Both must have a name. If either has an id, both must have one, and the ids must differ. Without
 * ids, the piece must have arguments, and the known call's arguments must be complete.
 */
function beginsAnother(known: ChatCall, piece: Pick<ChatCall, 'id' | 'name' | 'args'>): boolean {
  if (piece.name === '' || known.name === '') return false
  if (piece.id !== '' || known.id !== '') return piece.id !== '' && known.id !== '' && piece.id !== known.id
  return piece.args !== '' && isWhole(known.args)
}

function isWhole(json: string): boolean {
  try {
    JSON.parse(json)
    return true
  } catch {
    return false
  }
}
