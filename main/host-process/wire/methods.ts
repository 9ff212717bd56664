import type { z } from 'zod'
import { COPY_METHODS } from './copy-methods.ts'
import { ENVIRONMENT_METHODS } from './environment-methods.ts'
import { LAYER_METHODS } from './layer-methods.ts'

/**
 * The calls of the near side: the members of each call’s `args`, and its `value`. Members that are `undefined` are left out by JSON and are
 * absent on the far side. Raw bytes come in pieces beside them: those of the near side before the call, those of the far side before the
 * answer.
 */
export const METHODS = { ...ENVIRONMENT_METHODS, ...COPY_METHODS, ...LAYER_METHODS } as const

export type Method = keyof typeof METHODS
export type ArgsOf<M extends Method> = z.infer<(typeof METHODS)[M]['args']>
export type ValueOf<M extends Method> = z.infer<(typeof METHODS)[M]['value']>

/** Options without what cannot cross: functions, signals. Validation on the other side removes members that it does not know. */
export type Sendable<T> = T extends (...args: never[]) => unknown
  ? never
  : T extends readonly unknown[] | string
    ? T
    : T extends object
      ? { readonly [K in keyof T]: Sendable<T[K]> | undefined }
      : T
