import { isNestedDeeper, MOST_LEVELS } from '../../../shared/lib/nesting.ts'

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
