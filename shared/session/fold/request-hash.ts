/** While the log cannot be stored, the hashes of requests end with this, so that a step needs a signature from a user who knew that. */
export const UNSAVED = '-unsaved'

/** Whether two hashes are of the same request, even if only one of them was made while the log could not be stored. */
export const isSameRequest = (a: string, b: string): boolean => savedHash(a) === savedHash(b)

const savedHash = (hash: string): string => (hash.endsWith(UNSAVED) ? hash.slice(0, -UNSAVED.length) : hash)
