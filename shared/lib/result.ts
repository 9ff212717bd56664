/** An expected outcome as data. `ok: false` has a failure that the caller is meant to handle; bugs are thrown instead. */
export type Result<T, F> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: F }

export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value })
export const failed = <F>(failure: F): { readonly ok: false; readonly failure: F } => ({ ok: false, failure })
