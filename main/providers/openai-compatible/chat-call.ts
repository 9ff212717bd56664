import type { ContentPart } from '../../../shared/session/content.ts'
import { callId } from '../answer/answer-reader.ts'
import { countOr, type Fields, optional, textOr } from '../answer/fields.ts'

export interface ChatCall {
  readonly index: number
  id: string
  name: string
  args: string
  /** What the service wants back with the call ("extra_content": Gemini's signature), as JSON. */
  extra: string | null
}

/**
 * The calls of an answer from their pieces. A piece belongs to the call of its `index`, or, where a server leaves that out, to the newest
 * one; id and name may come late or be repeated. A piece with another id and a name begins a call of its own even under an index that is
 * taken: some servers give all of them the same.
 */
export class ChatCalls {
  readonly all: ChatCall[] = []

  take(piece: Fields): ChatCall {
    const made = optional(piece['function'])
    const [id, name, args] = [idIn(piece), textOr(made['name'], ''), argsIn(made['arguments'])]
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

/** Later pieces of some servers carry the word for none. */
function idIn({ id }: Fields): string {
  return typeof id === 'string' && id !== 'null' ? id : ''
}

/** A number, or one in digits; null: the piece does not say. */
function indexIn({ index }: Fields): number | null {
  const count = countOr(typeof index === 'string' && /^\d{1,4}$/.test(index) ? Number(index) : index, -1)
  return count < 0 ? null : count
}

function extraIn({ extra_content: extra }: Fields): string | null {
  return extra !== null && typeof extra === 'object' ? JSON.stringify(extra) : null
}

/** Some servers send an object that is already read. */
function argsIn(args: unknown): string {
  if (typeof args === 'string') return args
  return args === null || args === undefined ? '' : JSON.stringify(args)
}

/** Another id, or, where there are none, arguments that begin anew after whole ones; either with a name. */
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
