import type { SeenLines } from '../../../shared/session/events.ts'
import { hashInSlices } from '../../agent/blob-hash.ts'
import type { PathFacts, PrepareContext } from '../../agent/ports/tool.ts'
import { createSlices } from '../../agent/event-loop-slices.ts'
import { type FileEffect, type LineCounter, seenAfter, type Subject, writeEffect } from './file-write.ts'

/** Files in memory, changed one after the other by the parts of one call. `effects` then returns the effects of all parts together. */
export interface FileSet {
  /** The call's context. It shows files as the earlier parts have changed them. */
  readonly context: PrepareContext
  /** Replaces the complete content. */
  write(subject: Subject, bytes: Uint8Array): void
  /** Changes a part of the content. */
  edit(subject: Subject, bytes: Uint8Array): Promise<void>
  /** Moves the content, possibly changed, to another file. `mode` contains its permission bits. */
  move(from: Subject, to: Subject, bytes: Uint8Array, mode: number | undefined): Promise<void>
  remove(subject: Subject): void
  /** One effect for each file that differs at the end, in order of first use. */
  effects(countLines: LineCounter): Promise<readonly FileEffect[]>
  /** The lines of a file that count as seen by the agent after all changes; undefined if it has seen the entire file. */
  seen(path: string): SeenLines | undefined
}

interface Member {
  readonly place: PathFacts
  readonly before: Uint8Array | null
  readonly after: Uint8Array | null
  readonly mode: number | undefined
  readonly seen: SeenLines | undefined
  /** The file whose content was moved here, in the state before the call. */
  readonly source: Source | null
}

interface Source {
  readonly place: PathFacts
  readonly before: Uint8Array
}

export function createFileSet(context: PrepareContext): FileSet {
  const members = new Map<string, Member>()
  const set = ({ place, bytes }: Subject, now: Pick<Member, 'after' | 'mode' | 'seen'>, source?: Source | null): void => {
    const known = members.get(place.path)
    const before = known ? known.before : bytes
    members.set(place.path, { place, before, ...now, mode: now.mode ?? known?.mode, source: source ?? known?.source ?? null })
  }
  const sourceOf = ({ place, bytes }: Subject): Source | null => {
    const known = members.get(place.path)
    const before = known ? known.before : bytes
    return known?.source ?? (before && { place, before })
  }
  const own: PrepareContext = {
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
      return member.after && hashInSlices(member.after)
    },
    seenLines(path) {
      const member = members.get(path)
      return member ? (member.seen ?? null) : context.seenLines(path)
    },
  }
  return {
    context: own,
    write: (subject, after) => set(subject, { after, mode: undefined, seen: undefined }),
    edit: async (subject, after) => set(subject, { after, mode: undefined, seen: await seenAfter(subject, after, own) }),
    async move(from, to, after, mode) {
      const seen = await seenAfter(from, after, own)
      const source = sourceOf(from)
      set(from, { after: null, mode: undefined, seen: undefined })
      set(to, { after, mode, seen }, source)
    },
    remove: (subject) => set(subject, { after: null, mode: undefined, seen: undefined }),
    async effects(countLines) {
      const slice = createSlices()
      const effects: FileEffect[] = []
      for (const member of members.values()) {
        await slice()
        const isGone = member.source !== null && members.get(member.source.place.path)?.after === null
        effects.push(...(await effectsOf(isGone ? member : { ...member, source: null }, context, countLines)))
      }
      return effects
    },
    seen: (path) => members.get(path)?.seen,
  }
}

async function effectsOf(
  { place, before, after, mode, source }: Member,
  context: PrepareContext,
  countLines: LineCounter,
): Promise<readonly FileEffect[]> {
  if (after === null) {
    return before === null ? [] : [{ kind: 'delete', ...place, before: await context.keep(before), beforeBytes: before.length }]
  }
  if (before && Buffer.compare(before, after) === 0) return []
  const effect = await writeEffect({ place, bytes: before, seen: 'never' }, after, context, countLines)
  if (before !== null) return [effect]
  const moved = source && {
    movedFrom: { path: source.place.path, shown: source.place.shown },
    lines: await countLines(source.before, after),
  }
  return [{ ...effect, ...moved, ...(mode !== undefined && { mode }) }]
}
