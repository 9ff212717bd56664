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
    const { name, arguments: args } = optional(piece['function'])
    const id = textOr(piece['id'], '')
    const call = this.#callOf(piece['index'], id, textOr(name, ''))
    if (id !== '') call.id ||= id
    call.name ||= textOr(name, '')
    // Some servers send an object that is already read.
    call.args += typeof args === 'string' ? args : args === null || args === undefined ? '' : JSON.stringify(args)
    return call
  }

  #callOf(index: unknown, id: string, name: string): ChatCall {
    const newest = this.all.at(-1)
    const known =
      typeof index === 'number'
        ? this.all.findLast((call) => call.index === index)
        : id === ''
          ? newest
          : this.all.find((call) => call.id === id)
    const isAnother = known !== undefined && id !== '' && known.id !== '' && known.id !== id && name !== ''
    if (known && !isAnother) return known
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
