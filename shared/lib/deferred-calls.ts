/** The names of the methods of `T` that return promises. */
type Calls<T> = { [K in keyof T]: T[K] extends (...args: never[]) => Promise<unknown> ? K : never }[keyof T]

/** Runs work with an object, which is made, loaded or started first if necessary. */
export type Use<T> = <R>(work: (target: T) => Promise<R>) => Promise<R>

/** Returns functions with these names. Each calls the method of that name on the object that `use` provides for the call. */
export function deferredCalls<T, const K extends Calls<T>>(names: readonly K[], use: Use<T>): Pick<T, K> {
  const calls = names.map((name) => {
    const call = (...args: never[]): Promise<unknown> => use((target) => (target[name] as (...given: never[]) => Promise<unknown>)(...args))
    return [name, call] as const
  })
  return Object.fromEntries(calls) as Pick<T, K>
}
