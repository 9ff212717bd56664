/** Makes a value when it is first requested, and keeps it. Used for schemas that most starts of the app never need. */
export function once<T extends object>(make: () => T): () => T {
  let made: T | null = null
  return () => (made ??= make())
}
