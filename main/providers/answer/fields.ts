import { MalformedStream } from './answer-reader.ts'
import { isNestedDeeper, MOST_LEVELS } from '../../../shared/lib/nesting.ts'

/** An object of a stream whose members are not known to be what they should be. */
export type Fields = Readonly<Record<string, unknown>>

/** Throws `MalformedStream` for anything but an object. */
export function asFields(value: unknown): Fields {
  if (value === null || typeof value !== 'object') throw new MalformedStream('an event has not the form of one')
  return value as Fields
}

export const optional = (value: unknown): Fields => (value !== null && typeof value === 'object' ? (value as Fields) : {})

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Throws `MalformedStream` for anything but a string. */
export function asText(value: unknown): string {
  if (typeof value !== 'string') throw new MalformedStream('a piece of text is none')
  return value
}

export const textOr = <T>(value: unknown, otherwise: T): string | T => (typeof value === 'string' ? value : otherwise)

/** A count is a whole number from 0 on that can be added to others; a budget is reckoned with it, so that nothing else passes (L-14). */
export const countOr = (value: unknown, otherwise: number): number =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : otherwise

/** Levels of a frame around the arguments of a call, with room to spare: what is too deep for arguments is still seen to be so. */
const AROUND = 16

/**
 * What a frame holds, with `null` for what lies deeper than anybody needs: whatever is written again of it can be written. `json` is its text,
 * which tells most frames at once to be shallow.
 */
export function levelled(value: unknown, json: string): unknown {
  return isNestedDeeper(json, MOST_LEVELS + AROUND) ? cut(value, MOST_LEVELS + AROUND) : value
}

function cut(value: unknown, levels: number): unknown {
  if (value === null || typeof value !== 'object') return value
  if (levels === 0) return null
  if (Array.isArray(value)) return value.map((member: unknown) => cut(member, levels - 1))
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cut(member, levels - 1)]))
}
