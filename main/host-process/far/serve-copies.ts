import type { BlobHash } from '../../../shared/lib/ids.ts'
import type { CopyOptions, EndedCopy, HostOptions } from '../../agent/ports/command-copies.ts'
import { hashOf } from '../../agent/blob-hash.ts'
import { EnvironmentFailure } from '../../environment/environment-failure.ts'
import type { COPY_METHODS } from '../wire/copy-methods.ts'
import type { ArgsOf } from '../wire/methods.ts'
import { done, existing, found, type ServedCall, type ServedMethods, type ServedSite, split } from './served-call.ts'

export function copiesOf({ copies, objects }: ServedSite): Pick<ServedMethods, keyof typeof COPY_METHODS> {
  /** Removes a copy from the list, because its changes are about to be applied or dropped. */
  const taken = (id: number): EndedCopy => {
    const copy = found(objects.copies, id)
    objects.copies.delete(id)
    return copy
  }
  return {
    copySupport: () => existing(copies).support(),
    async runCopy({ command, wants, keeps, options }, call) {
      const ended = await existing(copies).run(command, copyOptions(wants, options, call))
      objects.copies.set(call.id, ended)
      const { bytes: _, apply: __, keep: ___, gitChange: ____, drop: _____, ...facts } = ended
      return { ...facts, kept: keeps && isSmall(ended) ? await ended.keep((bytes) => sent(bytes, call.content)) : null }
    },
    async copyBytes({ copy, path }, { answer }) {
      await answer(await found(objects.copies, copy).bytes(path))
      return null
    },
    applyCopy: ({ copy, only }) => taken(copy).apply(only),
    keepCopy: ({ copy }, { content }) => found(objects.copies, copy).keep((bytes) => sent(bytes, content)),
    gitChange: ({ copy }, { content }) => found(objects.copies, copy).gitChange((bytes) => sent(bytes, content)),
    // It may have been applied already.
    dropCopy: async ({ copy }) => done(objects.copies.has(copy) ? taken(copy).drop() : Promise.resolve()),
    async confine({ options }, { id, onHost }) {
      objects.confined.set(id, await existing(copies).confine(withHosts(options, onHost)))
      return null
    },
    setAside: ({ confined, since }) => found(objects.confined, confined).setAside(since),
    async closeConfined({ confined }) {
      const closed = found(objects.confined, confined)
      objects.confined.delete(confined)
      await closed.close()
      return null
    },
    async applyKept({ kept, only, contents, hashes }, { bytes }) {
      const given = new Map(split(bytes, contents).map((content, index) => [hashes[index], content]))
      return existing(copies).apply(kept, (hash) => contentOf(given.get(hash), hash), only)
    },
    releaseKept: ({ changes }) =>
      done(existing(copies).release({ version: 1, folder: '', device: '', changes, obstacles: [], leftOut: [] })),
    ignoredParts: ({ paths }) => existing(copies).ignoredParts(paths),
    keepsPath: ({ path }) => existing(copies).keeps(path),
    cleanupCopies: () => done(existing(copies).cleanup()),
  }
}

/** Maximum number of changes, and of bytes of all contents, of a change set that is sent with the result of its command. */
const SMALL = { changes: 200, bytes: 512 * 1024 } as const

/** Whether the change set can be sent at once. Keeping a complete folder would move it out of the copy. */
function isSmall({ changeSet: { changes }, secondTry }: EndedCopy): boolean {
  const entries = changes.flatMap((change) => [
    ...(change.kind === 'created' ? [] : [change.before]),
    ...(change.kind === 'deleted' ? [] : [change.after]),
  ])
  const bytes = entries.reduce((sum, entry) => sum + (entry.kind === 'file' ? entry.size : 0), 0)
  const isWhole = entries.every(({ kind }) => kind !== 'tree')
  return secondTry === null && isWhole && changes.length <= SMALL.changes && bytes <= SMALL.bytes
}

async function sent(bytes: Uint8Array, content: ServedCall['content']): Promise<BlobHash> {
  await content(bytes)
  return hashOf(bytes)
}

function contentOf(content: Uint8Array | undefined, hash: BlobHash): Uint8Array {
  if (content && hashOf(content) === hash) return content
  throw new EnvironmentFailure('EINVAL', 'The content of a signed file is missing (EINVAL).')
}

function withHosts<O extends { readonly asksHosts: boolean }>(
  { asksHosts, ...options }: O,
  onHost: ServedCall['onHost'],
): Omit<O, 'asksHosts'> & Pick<HostOptions, 'onHost'> {
  return asksHosts ? { ...options, onHost } : options
}

function copyOptions(wants: ArgsOf<'runCopy'>['wants'], options: ArgsOf<'runCopy'>['options'], call: ServedCall): CopyOptions {
  const { terminal, ...rest } = withHosts(options, call.onHost)
  const { onTerminal, onStart: _, ...heard } = call.command(wants).options
  return { ...rest, ...heard, ...(terminal && { terminal: { ...terminal, onOpen: onTerminal } }) }
}
