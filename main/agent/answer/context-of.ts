import type { Usage } from '../../../shared/session/content.ts'

/** Tokens of the context that are filled once this answer is part of it. */
export function contextOf({ input, cacheRead, cacheWrite, output }: Usage): number {
  return input + cacheRead + cacheWrite + output
}
