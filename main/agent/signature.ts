import { hash } from 'node:crypto'
import type { Arguments } from './answer/parse-arguments.ts'
import type { CallSignature } from './loops/loop-detection.ts'

/** Tool name and a hash of the arguments (S-16). The order of their keys does not count. */
export function signatureOf(toolName: string, args: Arguments | null): CallSignature {
  return `${toolName} ${hash('sha1', args === null ? 'null' : canonical(args), 'base64')}`
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => (isRecord(inner) ? Object.fromEntries(Object.entries(inner).toSorted(byKey)) : inner))
}

const byKey = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1)
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
