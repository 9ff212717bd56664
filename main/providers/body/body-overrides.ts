import { isObject } from '../../../shared/lib/json.ts'
import { Buffer } from 'node:buffer'
import type { BodyPieces } from '../http/placeholder-body.ts'
import type { ModelRequest } from '../../agent/ports/provider.ts'

/** The differences between a request and its format: what the user adds, and what the service rejected. */
export interface BodyOverrides {
  /**
   * JSON members that are not sent, by path ("reasoning.summary"). Two names are not paths: `cache_control` stands for every cache mark.
   * `freeForm` stands for tools that accept plain text; they are then offered as JSON tools.
   */
  readonly without: readonly string[]
  /** Members to add or replace. */
  readonly body: Readonly<Record<string, unknown>>
  /** The service's own tools. They come after Countersign's tools. */
  readonly tools: readonly object[]
}

/** A request together with its differences from the format. Equal shapes are the same object. */
export interface OverriddenRequest extends ModelRequest {
  readonly shape?: BodyOverrides
}

export const NO_OVERRIDES: BodyOverrides = { without: [], body: {}, tools: [] }

/** The member of a block that makes a service cache the request up to this block. */
export const CACHE_MARK = 'cache_control'

/**
 * Stands for tools that are called with plain text instead of JSON. If a service rejects such tools, they are offered in their JSON form.
 */
export const FREE_FORM = 'freeForm'

/**
 * Applies a shape to everything before the first message. `head` and `tail` together are JSON whose last member is the list of messages.
 */
export function shapedHead(head: string, tail: string, { without, body, tools }: BodyOverrides): string {
  if (without.length === 0 && Object.keys(body).length === 0 && tools.length === 0) return head
  const whole = JSON.parse(`${head}${tail}`) as Record<string, unknown>
  // The list of messages must be the last member, whatever is added.
  const list = Object.keys(whole).at(-1) ?? ''
  const { [list]: messages, ...rest } = whole
  let merged = mergedWith(rest, body)
  if (tools.length > 0) merged['tools'] = [...(Array.isArray(merged['tools']) ? (merged['tools'] as unknown[]) : []), ...tools]
  for (const path of without) merged = removed(merged, path.split('.'))
  const marked = without.includes(CACHE_MARK) ? unmarked({ ...merged, [list]: messages }) : { ...merged, [list]: messages }
  return JSON.stringify(marked).slice(0, -tail.length)
}

/** The JSON of a request with an empty list of messages. */
export function startOf(pieces: BodyPieces, tail: string): string {
  const head = Buffer.from(pieces[0] ?? new Uint8Array()).toString('utf8')
  // In Chat Completions, the list is not empty: it contains the prompt, which is the first message.
  return `${head}${tail}`
}

function mergedWith(base: Record<string, unknown>, more: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const merged = { ...base }
  for (const [name, value] of Object.entries(more)) {
    const before = merged[name]
    merged[name] = isObject(before) && isObject(value) ? mergedWith(before, value) : value
  }
  return merged
}

/** Removes the member and any emptied object. */
function removed(from: Record<string, unknown>, [name = '', ...rest]: readonly string[]): Record<string, unknown> {
  const { [name]: inside, ...others } = from
  if (rest.length === 0) return others
  if (!isObject(inside)) return from
  const left = removed(inside, rest)
  return Object.keys(left).length === 0 ? others : { ...from, [name]: left }
}

function unmarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unmarked)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== CACHE_MARK)
      .map(([name, member]) => [name, unmarked(member)]),
  )
}
