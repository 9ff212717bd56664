/**
 * Called at the end of every `switch` over a discriminated union. The compiler reports a missing case, and an unexpected value at run
 * time throws an error that contains the value.
 */
export function assertNever(value: never, what = 'value'): never {
  throw new Error(`Unexpected ${what}: ${JSON.stringify(value)}`)
}
