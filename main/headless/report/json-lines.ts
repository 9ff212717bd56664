import { BlobHash } from '../../../shared/lib/ids.ts'
import type { JsonValue } from '../../../shared/session/content.ts'
import type { Effect } from '../../../shared/session/effects.ts'
import type { AnyEnvelope, SessionEvent } from '../../../shared/session/events.ts'
import type { Progress } from './standard-output.ts'

/** Returns the path of the file that contains a blob. Null if there is none. */
export type BlobFile = (hash: BlobHash) => string | null

/**
 * Writes one JSON object per line, for programs: `{seq, sessionId, after, at, event, blobs?}`. The event is the same as in the log, except
 * that the advice of an ERROR refers to command-line options. Live events have `seq: null`. Events that could not be stored yet have
 * `saved: false`. `blobs` maps each hash in the event (outputs above 64 KB, pictures, files before and after) to a file. If the event
 * starts a command, `ran` says how the command runs: in a `copy` of the folder, `confined` to the folder, or for `real`. The event that
 * applies a copy's changes also has `ran`. Events of a subagent are live SUBAGENT_EVENTs of the session that started the subagent.
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
        ...ranIn(envelope.event),
        ...(files.length > 0 && { blobs: Object.fromEntries(files) }),
      }
      write(`${JSON.stringify(line)}\n`)
    },
    end: () => {},
  }
}

/** How the command of an event runs. Empty if the event starts no command. */
function ranIn(event: SessionEvent): { readonly ran?: 'copy' | 'confined' | 'layer' | 'real' } {
  if (event.kind !== 'COPY_STARTED' && event.kind !== 'TOOL_EXECUTION_START') return {}
  const command = event.effects.find((effect) => effect.kind === 'command')
  return command ? { ran: command.sandbox ?? 'real' } : {}
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
    case 'COPY_ENDED':
      return [...[event.changeSet, event.result].flatMap((ref) => (ref ? [ref.hash] : [])), ...event.effects.flatMap(inEffect)]
    default:
      return []
  }
}

/** The raw bytes of a command's terminal, from `ShellDetails`. */
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

/** Whether the event was delivered while nothing could be stored. Its number is between two stored ones, and it may still be lost. */
function isUnsaved({ seq }: AnyEnvelope): boolean {
  return seq !== null && !Number.isInteger(seq)
}
