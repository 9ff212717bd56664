import type { ContentPart } from '../../../shared/session/content.ts'
import { callId } from '../answer/call-id.ts'
import { countOr, type Fields, optional, textOr } from '../answer/fields.ts'

export interface ChatCall {
  readonly index: number
  id: string
  name: string
  args: string
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
    const [id, name, args] = [textOr(piece['id'], ''), textOr(made['name'], ''), argsIn(made['arguments'])]
    const known = this.#known(piece['index'], id)
    const call = known && !beginsAnother(known, { id, name, args }) ? known : this.#begin(piece['index'])
    call.id ||= id
    call.name ||= name
    call.args += args
    return call
  }

  #known(index: unknown, id: string): ChatCall | undefined {
    if (typeof index === 'number') return this.all.findLast((call) => call.index === index)
    return id === '' ? this.all.at(-1) : this.all.find((call) => call.id === id)
  }

  #begin(index: unknown): ChatCall {
    const call: ChatCall = { index: countOr(index, this.all.length), id: '', name: '', args: '' }
    this.all.push(call)
    return call
  }

  parts(answerId: string | null): readonly ContentPart[] {
    const calls = this.all.toSorted((a, b) => a.index - b.index)
    return calls.map(({ id, name, args }, place) => ({
      kind: 'tool_call',
      toolCallId: callId(id, `${answerId ?? 'call'}_${place}`),
      toolName: name,
      argsText: args,
    }))
  }
}

/** Some servers send an object that is already read. */
function argsIn(args: unknown): string {
  if (typeof args === 'string') return args
  return args === null || args === undefined ? '' : JSON.stringify(args)
}

/** Another id, or, where there are none, arguments that begin anew after whole ones; either with a name. */
function beginsAnother(known: ChatCall, piece: Omit<ChatCall, 'index'>): boolean {
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
