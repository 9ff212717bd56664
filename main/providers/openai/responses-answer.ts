import type { ModelAnswer } from '../../agent/ports/provider.ts'
import { NO_USAGE, type Usage } from '../../../shared/session/content.ts'
import type { StopReason } from '../../../shared/session/events.ts'
import { type AnswerReader, ended, MalformedStream, shown, type Step } from '../answer/answer-reader.ts'
import { asFields, asText, countOr, type Fields, listOf, optional, textOr } from '../answer/untyped-fields.ts'
import { untypedError } from '../answer/error-in-frame.ts'
import { type Item, itemOf, partsOf, RAW_REASONING, responsesUsage, itemText } from './responses-item.ts'

/**
 * Reads an answer of OpenAI's Responses API. While it streams, items are identified by `output_index`, because some proxies change an
 * item's id with every event. A finished item replaces the content that its deltas added up to. The items of the final list are matched
 * by id.
 */
export class ResponsesAnswer implements AnswerReader {
  readonly #items = new Map<number, Item>()
  /** Places (positions in the answer) of the finished items. */
  readonly #whole = new Set<number>()
  /** Places by item id, for servers that send no index. */
  readonly #places = new Map<string, number>()
  #id: string | null = null
  #end: Fields = {}
  #usage: Usage = NO_USAGE

  take(event: unknown): Step {
    const fields = asFields(event)
    switch (fields['type']) {
      case 'response.created':
        this.#items.clear()
        this.#whole.clear()
        this.#places.clear()
        this.#id = textOr(optional(fields['response'])['id'], null)
        return null
      case 'response.output_item.added':
        return isNone(fields['item']) ? null : this.#open(this.#placeOf(fields), asFields(fields['item']))
      case 'response.output_item.done':
        return isNone(fields['item']) ? null : this.#close(this.#placeOf(fields), asFields(fields['item']))
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        return this.#write('message', fields, countOr(fields['content_index'], 0), fields['type'] === 'response.refusal.delta')
      case 'response.reasoning_summary_text.delta':
        return this.#write('reasoning', fields, countOr(fields['summary_index'], 0))
      case 'response.reasoning_text.delta':
        return this.#write('reasoning', fields, RAW_REASONING + countOr(fields['content_index'], 0))
      case 'response.custom_tool_call_input.delta':
      case 'response.function_call_arguments.delta':
        return this.#argue(this.#callAt(fields), (before) => before + asText(fields['delta']))
      case 'response.function_call_arguments.done':
        return this.#argue(this.#callAt(fields), (before) => textOr(fields['arguments'], before))
      case 'response.custom_tool_call_input.done':
        return this.#argue(this.#callAt(fields), (before) => textOr(fields['input'], before))
      case 'response.output_text.done':
        return this.#write('message', { ...fields, delta: this.#missing(fields) }, countOr(fields['content_index'], 0))
      case 'response.done':
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        return this.#finish(fields['type'], asFields(fields['response']))
      case 'error':
        return reported(optional(fields['error'] ?? fields))
      default:
        return untypedError(fields)
    }
  }

  /** Neither `[DONE]` nor the end of the body completes an answer; only the API's own events do. */
  isWhole(): boolean {
    return false
  }

  answer(stopReason: StopReason = this.#stopReason()): ModelAnswer {
    const items = [...this.#items].sort(([a], [b]) => a - b)
    const parts = items.flatMap(([index, item]) => partsOf(item, `${this.#id ?? 'call'}_${index}`))
    return { parts, ...ended(stopReason, this.#endWord()), responseId: this.#id, usage: this.#usage }
  }

  /** An event without an index belongs to the item with its id. If there is no such item, it belongs to the newest item. */
  #indexOf(fields: Fields): number {
    const index = fields['output_index']
    return typeof index === 'number' ? index : (this.#places.get(textOr(fields['item_id'], '')) ?? Math.max(0, ...this.#items.keys()))
  }

  /**
   * The place of a finished item: its index, else the place of its id, else the place of the item that its deltas created, else the place
   * after all others.
   */
  #placeOf(fields: Fields): number {
    const { id, type } = optional(fields['item'])
    const newest = Math.max(-1, ...this.#items.keys())
    const isNewest =
      fields['type'] === 'response.output_item.done' && !this.#whole.has(newest) && kindOf(type) === this.#items.get(newest)?.kind
    const known = typeof id === 'string' ? this.#places.get(id) : undefined
    const index = fields['output_index']
    const place = typeof index === 'number' ? index : (known ?? (isNewest ? newest : newest + 1))
    if (typeof id === 'string') this.#places.set(id, place)
    return place
  }

  #open(index: number, fields: Fields): Step {
    const item = itemOf(fields, false)
    this.#items.set(index, item)
    if (item.kind === 'call') return shown({ kind: 'call', toolName: item.name, chars: 0 })
    return this.#show(item, '')
  }

  #close(index: number, fields: Fields): Step {
    const before = this.#items.get(index)
    const item = itemOf(fields, true)
    this.#items.set(index, item)
    this.#whole.add(index)
    return this.#show(item, before ? itemText(before) : '')
  }

  /** Shows the part of the item's text that has not been shown yet. */
  #show(item: Item, before: string): Step {
    const text = itemText(item)
    if (text.length <= before.length || !text.startsWith(before)) return null
    return shown({ kind: item.kind === 'reasoning' ? 'thinking' : 'text', text: text.slice(before.length) })
  }

  #write(kind: 'message' | 'reasoning', fields: Fields, place: number, refused = false): Step {
    const index = this.#indexOf(fields)
    const text = asText(fields['delta'])
    const known = this.#items.get(index)
    if (known && known.kind !== kind) throw new MalformedStream('text arrived outside its item')
    const item = known?.kind === kind && !(refused && known.kind === 'message' && !known.refused) ? known : begun(kind, known, refused)
    this.#items.set(index, item)
    const before = item.texts.get(place) ?? ''
    const parting = kind === 'reasoning' && before === '' && text !== '' && itemText(item) !== '' ? '\n\n' : ''
    item.texts.set(place, before + text)
    return text === '' ? null : shown({ kind: kind === 'message' ? 'text' : 'thinking', text: parting + text })
  }

  /** The part of a finished text that no delta contained. */
  #missing(fields: Fields): string {
    const item = this.#items.get(this.#indexOf(fields))
    const before = item?.kind === 'message' ? (item.texts.get(countOr(fields['content_index'], 0)) ?? '') : ''
    const text = textOr(fields['text'], '')
    return text.startsWith(before) ? text.slice(before.length) : ''
  }

  /** The call that an event belongs to. If the service did not send the call's start, the call has no name until its end arrives. */
  #callAt(fields: Fields): Extract<Item, { kind: 'call' }> {
    const index = this.#indexOf(fields)
    const item: Item = this.#items.get(index) ?? { kind: 'call', id: '', name: '', args: '' }
    this.#items.set(index, item)
    if (item.kind !== 'call') throw new MalformedStream('arguments arrived outside a call')
    return item
  }

  #argue(call: Extract<Item, { kind: 'call' }>, change: (before: string) => string): Step {
    call.args = change(call.args)
    return shown({ kind: 'call', toolName: call.name, chars: call.args.length })
  }

  #finish(type: unknown, response: Fields): Step {
    this.#id = textOr(response['id'], this.#id)
    this.#end = type === 'response.incomplete' ? { ...response, status: 'incomplete' } : response
    this.#usage = responsesUsage(optional(response['usage']))
    this.#complete(listOf(response['output']).map(asFields))
    return type === 'response.failed' || response['status'] === 'failed' ? reported(optional(response['error'])) : { kind: 'complete' }
  }

  /**
   * Adds the items of the final list that no event has sent or finished. The list may leave out items and events may skip places, so
   * positions in the list mean nothing. Items are matched by id or by content.
   */
  #complete(output: readonly Fields[]): void {
    const listed = output.map((fields) => ({ item: itemOf(fields, true), id: textOr(fields['id'], '') }))
    const idsHold = listed.some(({ id }) => this.#places.has(id))
    const free = new Set([...this.#items.keys()].toSorted((a, b) => a - b))
    let before = -1
    for (const { item, id } of listed) {
      const place = this.#places.get(id) ?? this.#placeAlike(item, free, idsHold)
      // A fraction puts the new place between the previous item and the next integer.
      const at = place ?? before + 2 ** -20
      if (place === null || !this.#whole.has(at)) this.#items.set(at, item)
      free.delete(at)
      before = at
    }
  }

  /**
   * Returns a free place for an item with an unknown id: the place of an item with the same content, otherwise the first place of an item
   * of the same kind. If ids are reliable, finished items are skipped in the search by kind.
   */
  #placeAlike(item: Item, free: ReadonlySet<number>, idsHold: boolean): number | null {
    const places = [...free]
    const same = places.find((place) => isSame(this.#items.get(place), item))
    const next = places.find((place) => this.#items.get(place)?.kind === item.kind && !(idsHold && this.#whole.has(place)))
    return same ?? next ?? null
  }

  #endWord(): unknown {
    return optional(this.#end['incomplete_details'])['reason'] ?? this.#end['status']
  }

  #stopReason(): StopReason {
    const items = [...this.#items.values()]
    switch (optional(this.#end['incomplete_details'])['reason']) {
      case 'max_output_tokens':
      case 'max_tokens':
        return 'length'
      case 'content_filter':
        return 'content_filter'
      default:
        if (NO_ENDS.includes(this.#end['status'])) return 'other'
        if (items.some((item) => item.kind === 'message' && item.refused)) return 'content_filter'
        return items.some(({ kind }) => kind === 'call') ? 'tool_calls' : 'stop'
    }
  }
}

/** Whether an item of the final list is the same as a known one. */
function isSame(known: Item | undefined, item: Item): boolean {
  if (known?.kind === 'call' && item.kind === 'call') return known.id === item.id
  return known?.kind === item.kind && itemText(item) !== '' && itemText(known) === itemText(item)
}

/** Statuses of a response that did not end normally. */
const NO_ENDS: readonly unknown[] = ['incomplete', 'failed', 'cancelled']

type Written = Extract<Item, { kind: 'message' | 'reasoning' }>

/** Creates an item whose start was not sent, or turns a message into a refusal. */
function begun(kind: 'message' | 'reasoning', known: Item | undefined, refused: boolean): Written {
  if (kind === 'reasoning') return { kind, texts: new Map<number, string>(), whole: null }
  if (known?.kind === 'message') return { ...known, refused }
  return { kind, texts: new Map<number, string>(), phase: null, refused }
}

/** Whether there is no item: some servers announce an item without sending it. */
const isNone = (item: unknown): boolean => item === null || item === undefined

function kindOf(type: unknown): Item['kind'] {
  return itemOf({ type }, false).kind
}

function reported(error: Fields): Step {
  const type = textOr(error['code'], textOr(error['type'], null))
  return { kind: 'reported', error: { type, words: textOr(error['message'], '') } }
}
