import { MalformedStream } from './answer-reader.ts'
import { isNestedDeeper, MAX_LEVELS } from '../../../shared/lib/json-nesting.ts'

/** An unvalidated object from a stream. */
export type Fields = Readonly<Record<string, unknown>>

/** Throws `MalformedStream` for anything but an object. */
export function asFields(value: unknown): Fields {
  if (value === null || typeof value !== 'object') throw new MalformedStream('an event is not an object')
  return value as Fields
}

export const optional = (value: unknown): Fields => (value !== null && typeof value === 'object' ? (value as Fields) : {})

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Throws `MalformedStream` for anything but a string. */
export function asText(value: unknown): string {
  if (typeof value !== 'string') throw new MalformedStream('a piece of text is not a string')
  return value
}

export const textOr = <T>(value: unknown, otherwise: T): string | T => (typeof value === 'string' ? value : otherwise)

/** Counts enter budgets, so only safe non-negative integers are accepted. */
export const countOr = (value: unknown, otherwise: number): number =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : otherwise

/** Nesting levels of a frame around a call's arguments, with room to spare, so that arguments nested too deep are still detected as such. */
const AROUND = 16

/**
 * A frame's value with everything nested too deep replaced by `null`, so that it can be serialized again. `json` is its text, which shows
 * quickly that most frames are shallow.
 */
export function levelled(value: unknown, json: string): unknown {
  return isNestedDeeper(json, MAX_LEVELS + AROUND) ? cut(value, MAX_LEVELS + AROUND) : value
}

function cut(value: unknown, levels: number): unknown {
  if (value === null || typeof value !== 'object') return value
  if (levels === 0) return null
  if (Array.isArray(value)) return value.map((member: unknown) => cut(member, levels - 1))
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cut(member, levels - 1)]))
}
