import { expect } from 'vitest'

/** Vitest's asymmetric matchers, typed as what they stand for in a comparison: anything. */
export const containing = (text: string): unknown => expect.stringContaining(text)
export const aNumber = (): unknown => expect.any(Number)
export const objectContaining = (part: object): unknown => expect.objectContaining(part)
