import { BlobHash } from '../../../shared/lib/ids.ts'
import type { JsonValue } from '../../../shared/session/content.ts'
import type { Effect } from '../../../shared/session/effects.ts'
import { isUnsaved, type SessionEvent } from '../../../shared/session/events.ts'
import type { Progress } from './output.ts'

/** The file that holds a blob's bytes; null: it cannot be had. */
export type BlobFile = (hash: BlobHash) => string | null

/**
 * One JSON object a line, for programs: `{seq, sessionId, after, at, event, blobs?}`, the event exactly as it is in the log, but for what an
 * ERROR advises, which is in the words of this shell; live events carry `seq: null`, and what could not be stored yet `saved: false`. Texts that an event names by hash (outputs above 64 KB, pictures, files before and after) lie in files: `blobs` maps hash to path.
 * What a subagent's log gets comes as a live SUBAGENT_EVENT of the session that has it.
 */
export function jsonLines(write: (text: string) => void, fileOf: BlobFile): Progress {
  return {
    show(envelope) {
      const files = [...new Set(named(envelope.event))].flatMap((hash) => {
        const file = fileOf(hash)
        return file === null ? [] : [[hash, file] as const]
      })
      const line = {
        ...envelope,
        ...(isUnsaved(envelope) && { saved: false }),
        ...(files.length > 0 && { blobs: Object.fromEntries(files) }),
      }
      write(`${JSON.stringify(line)}\n`)
    },
    end: () => {},
  }
}

function named(event: SessionEvent): readonly BlobHash[] {
  switch (event.kind) {
    case 'SUBAGENT_EVENT':
      return named(event.event)
    case 'TOOL_CALL_END':
      return [...(event.outputBlob ? [event.outputBlob.hash] : []), ...rawBytes(event.details)]
    case 'REQUEST_CONTEXT':
      return [event.system.hash, event.tools.hash]
    case 'USER_INPUT':
    case 'INPUT_QUEUED':
    case 'STEERING_INJECTED':
      return event.pictures?.map(({ hash }) => hash) ?? []
    case 'FILES_CHANGED':
      return event.files.flatMap(({ before, after }) => present(before, after))
    case 'APPROVAL_REQUESTED':
    case 'TOOL_EXECUTION_START':
      return event.effects.flatMap(inEffect)
    default:
      return []
  }
}

/** The raw bytes of a command's terminal (`ShellDetails`). */
function rawBytes(details: JsonValue): readonly BlobHash[] {
  const raw = typeof details === 'object' && details !== null && 'rawBlob' in details ? BlobHash.safeParse(details.rawBlob) : null
  return raw?.success ? [raw.data] : []
}

function inEffect(effect: Effect): readonly BlobHash[] {
  switch (effect.kind) {
    case 'write':
      return present(effect.before, effect.after)
    case 'delete':
      return [effect.before]
    default:
      return []
  }
}

const present = (...hashes: readonly (BlobHash | null)[]): readonly BlobHash[] => hashes.filter((hash) => hash !== null)
