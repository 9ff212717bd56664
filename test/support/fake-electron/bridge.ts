/**
 * Returns what crosses Electron's context bridge in either direction. Plain data is copied, and a function becomes another function that
 * copies its arguments and its result. Nothing else of one side is reachable from the other.
 */
export function across(value: unknown): unknown {
  if (typeof value === 'function') {
    const call = value as (...args: unknown[]) => unknown
    return (...args: unknown[]): unknown => across(call(...args.map(across)))
  }
  if (typeof value !== 'object' || value === null) return value
  if (!holdsFunction(value)) return structuredClone(value)
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, across(item)]))
}

/** Returns what `exposeInMainWorld` leaves in the page: a copy that is deeply frozen. */
export function exposed(value: unknown): unknown {
  return frozen(across(value))
}

const holdsFunction = (value: object): boolean =>
  Object.values(value).some(
    (item) => typeof item === 'function' || (typeof item === 'object' && item !== null && holdsFunction(item as object)),
  )

function frozen(value: unknown): unknown {
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return value
  for (const item of Object.values(value)) frozen(item)
  return Object.freeze(value)
}
