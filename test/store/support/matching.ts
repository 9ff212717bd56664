import { expect } from 'vitest'

/** Vitest's asymmetric matchers, typed as `unknown`, so that they can stand for any value in a comparison. */
export const containing = (text: string): unknown => expect.stringContaining(text)
export const aNumber = (): unknown => expect.any(Number)
export const objectContaining = (part: object): unknown => expect.objectContaining(part)
