/** Ends every `switch` over a discriminated union: the compiler sees a missing case, and a bad value at run time is named. */
export function assertNever(value: never, what = 'value'): never {
  throw new Error(`Unexpected ${what}: ${JSON.stringify(value)}`)
}
