import type { z } from 'zod'

/** One request with one answer. Expected failures are part of `output`, never thrown. */
export interface Command<I extends z.ZodType = z.ZodType, O = unknown> {
  readonly kind: 'command'
  readonly input: I
  readonly output: Phantom<O>
}

/** A stream of items until the server ends it or the listener's signal aborts. */
export interface Stream<I extends z.ZodType = z.ZodType, T = unknown> {
  readonly kind: 'stream'
  readonly input: I
  readonly item: Phantom<T>
}

/** Carries a type for the compiler, but no value at run time. */
export interface Phantom<T> {
  readonly __type?: T
}

/** `returns<T>()` and `items<T>()` give the type of the answer. Only input is validated, because only input comes from outside. */
export const returns = <T>(): Phantom<T> => ({})
export const items = <T>(): Phantom<T> => ({})

export function command<I extends z.ZodType, O>(spec: { readonly input: I; readonly output: Phantom<O> }): Command<I, O> {
  return { kind: 'command', ...spec }
}

export function stream<I extends z.ZodType, T>(spec: { readonly input: I; readonly item: Phantom<T> }): Stream<I, T> {
  return { kind: 'stream', ...spec }
}

export type Endpoint = Command | Stream

/** Endpoints grouped by domain. On the wire an endpoint is called `domain.name`. */
export type Contract = { readonly [domain: string]: { readonly [name: string]: Endpoint } }

/** The caller of an endpoint. `connection` identifies its window. `signal` aborts when the caller cancels or disconnects. */
export interface CallContext {
  readonly connection: string
  readonly signal: AbortSignal
}

export type Client<C extends Contract> = {
  readonly [D in keyof C]: {
    readonly [N in keyof C[D]]: C[D][N] extends Command<infer I, infer O>
      ? (input: z.input<I>) => Promise<O>
      : C[D][N] extends Stream<infer I, infer T>
        ? (input: z.input<I>, signal: AbortSignal) => AsyncIterable<T>
        : never
  }
}

export type Handlers<C extends Contract> = {
  readonly [D in keyof C]: {
    readonly [N in keyof C[D]]: C[D][N] extends Command<infer I, infer O>
      ? (input: z.output<I>, context: CallContext) => Promise<O> | O
      : C[D][N] extends Stream<infer I, infer T>
        ? (input: z.output<I>, context: CallContext) => AsyncIterable<T>
        : never
  }
}
