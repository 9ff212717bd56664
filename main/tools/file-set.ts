import { hash } from 'node:crypto'
import type { BlobHash } from '../../shared/lib/ids.ts'
import type { DeleteEffect, WriteEffect } from '../../shared/session/effects.ts'
import type { PathFacts, PrepareContext } from '../agent/ports/tool.ts'
import { type LineCounter, type Subject, writeEffect } from './write-subject.ts'

export type FileEffect = WriteEffect | DeleteEffect

/** Files as the parts of one call leave them one after the other (D-35), in memory; at the end what it all comes to. */
export interface FileSet {
  /** The call's context, in which files stand as the parts before have left them. */
  readonly context: PrepareContext
  /** `mode`: permission bits for a file that is new. */
  write(subject: Subject, bytes: Uint8Array, mode?: number): void
  remove(subject: Subject): void
  /** One effect for each file that differs in the end, in the order in which they were first named. */
  effects(countLines: LineCounter): readonly FileEffect[]
}

interface Member {
  readonly place: PathFacts
  readonly before: Uint8Array | null
  after: Uint8Array | null
  mode: number | undefined
}

export function createFileSet(context: PrepareContext): FileSet {
  const members = new Map<string, Member>()
  const set = ({ place, bytes }: Subject, after: Uint8Array | null, mode?: number): void => {
    const known = members.get(place.path)
    if (known) Object.assign(known, { after, mode: mode ?? known.mode })
    else members.set(place.path, { place, before: bytes, after, mode })
  }
  return {
    context: {
      ...context,
      files: {
        read: (path, options) => {
          const member = members.get(path)
          return member ? Promise.resolve(member.after) : context.files.read(path, options)
        },
      },
      seen(path) {
        const member = members.get(path)
        if (!member) return context.seen(path)
        return member.after && (hash('sha256', member.after, 'hex') as BlobHash)
      },
      seenLines: (path) => (members.has(path) ? null : context.seenLines(path)),
    },
    write: (subject, bytes, mode) => set(subject, bytes, mode),
    remove: (subject) => set(subject, null),
    effects: (countLines) => [...members.values()].flatMap((member) => effectsOf(member, context, countLines)),
  }
}

function effectsOf({ place, before, after, mode }: Member, context: PrepareContext, countLines: LineCounter): readonly FileEffect[] {
  if (after === null) {
    return before === null ? [] : [{ kind: 'delete', ...place, before: context.keep(before), beforeBytes: before.length }]
  }
  if (before && Buffer.compare(before, after) === 0) return []
  const effect = writeEffect({ place, bytes: before, seen: 'never' }, after, context, countLines)
  return [before === null && mode !== undefined ? { ...effect, mode } : effect]
}
