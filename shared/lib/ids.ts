import { z } from 'zod'

/** Opaque, branded identifiers. They are made in main and only compared elsewhere, never parsed. */
export const SessionId = z.string().min(1).max(80).brand<'SessionId'>()
export type SessionId = z.infer<typeof SessionId>

/** Id of a tool call, unique within a session: the vendor's own id, or one made by `freeId` if that id is empty or taken. */
export const ToolCallId = z.string().min(1).max(200).brand<'ToolCallId'>()
export type ToolCallId = z.infer<typeof ToolCallId>

/** One-time id of an approval request. Answers contain this id together with the hash of what would be executed. */
export const ApprovalId = z.string().min(1).max(80).brand<'ApprovalId'>()
export type ApprovalId = z.infer<typeof ApprovalId>

/** Lower-case hex SHA-256 of a blob's bytes. It is the key of the content-addressed store. */
export const BlobHash = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .brand<'BlobHash'>()
export type BlobHash = z.infer<typeof BlobHash>

/** Returns a new id: the creation time (ms in base 36), by which ids can be sorted, then a random part. */
export function newId(prefix: string): string {
  return `${prefix}_${Date.now().toString(36)}${crypto.randomUUID().replaceAll('-', '').slice(0, 14)}`
}

/**
 * Returns `wanted` or, if that id is taken, the first free id of `wanted_2`, `wanted_3`, …. If `wanted` is empty, returns the first free id
 * of `call_1`, `call_2`, …. `from`: ids with smaller numbers are known to be taken.
 */
export function freeId<Id extends string>(wanted: Id, isTaken: (id: string) => boolean, from = 1): Id {
  const base = wanted === '' ? 'call' : wanted
  for (let count = from; ; count++) {
    const id = count === 1 && wanted !== '' ? base : `${base}_${count}`
    if (!isTaken(id)) return id as Id
  }
}
