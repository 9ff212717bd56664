import { MalformedStream } from './answer-reader.ts'
import { isNestedDeeper, MAX_LEVELS } from '../../../shared/lib/json.ts'

/** An unvalidated object from a stream. */
export type Fields = Readonly<Record<string, unknown>>

/** Throws `MalformedStream` if the value is not an object. */
export function asFields(value: unknown): Fields {
  if (value === null || typeof value !== 'object') throw new MalformedStream('an event is not an object')
  return value as Fields
}

export const optional = (value: unknown): Fields => (value !== null && typeof value === 'object' ? (value as Fields) : {})

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Throws `MalformedStream` if the value is not a string. */
export function asText(value: unknown): string {
  if (typeof value !== 'string') throw new MalformedStream('a piece of text is not a string')
  return value
}

export const textOr = <T>(value: unknown, otherwise: T): string | T => (typeof value === 'string' ? value : otherwise)

/** Only safe non-negative integers are accepted, because budgets are computed from these counts. */
export const countOr = (value: unknown, otherwise: number): number =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : otherwise

/**
 * Number of nesting levels that a frame may add around a call's arguments, with some margin. A frame is cut only below these levels, so
 * that arguments that are nested too deep are still recognized as such.
 */
const AROUND = 16

/**
 * Replaces everything in a frame that is nested too deep by `null`, so that the frame can be serialized again. `json` is the frame's text,
 * which is used to skip shallow frames quickly.
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
