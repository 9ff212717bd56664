import { isObject } from '../../../shared/lib/json.ts'
import { hash } from 'node:crypto'
import type { Arguments } from '../answer/parse-arguments.ts'
/** Identifies what a call asks for. Two calls are equal if their signatures are equal. */
export type CallSignature = string

/** How many of the newest calls are examined. */
export const LOOP_WINDOW = 10

/** Number of repeats after which a single repeated call counts as a loop, even if the window is not full. */
const EARLY_REPEATS = 5

/**
 * Looks for a repeating pattern of 1, 2 or 3 calls among the newest calls. A pattern of 1 counts from 5 repeats. Longer patterns must fill
 * the window with complete repeats (10 calls for 2, 9 for 3). Null if there is no loop.
 */
export function findLoop(
  newest: readonly CallSignature[],
  window = LOOP_WINDOW,
): { readonly length: number; readonly calls: number } | null {
  for (const length of [1, 2, 3]) {
    const calls = length === 1 ? Math.min(EARLY_REPEATS, window) : Math.floor(window / length) * length
    if (calls >= 2 * length && newest.length >= calls && repeats(newest.slice(-calls), length)) return { length, calls }
  }
  return null
}

function repeats(calls: readonly CallSignature[], length: number): boolean {
  return calls.every((call, index) => call === calls[index % length])
}

/** The warning for the model, in the user's role. */
export function loopWarning(calls: number): string {
  return `Loop detected: the last ${calls} tool calls follow a repeating pattern. Try a different approach, or say what blocks you.`
}

/** The tool name and a hash of the arguments, independent of the order of their keys. */
export function signatureOf(toolName: string, args: Arguments | null): CallSignature {
  return `${toolName} ${hash('sha1', args === null ? 'null' : canonical(args), 'base64')}`
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => (isObject(inner) ? Object.fromEntries(Object.entries(inner).toSorted(byKey)) : inner))
}

const byKey = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1)
