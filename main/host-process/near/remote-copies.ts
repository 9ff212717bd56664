import { disposable } from '../../../shared/lib/disposable.ts'
import { BlobHash } from '../../../shared/lib/ids.ts'
import type {
  CommandCopies,
  Confined,
  ConfineOptions,
  CopySupport,
  CopyOptions,
  EndedCopy,
  KeptChangeSet,
  StoreBytes,
} from '../../agent/ports/command-copies.ts'
import { parseKept } from '../../environment/copy/changes/change-set-schema.ts'
import { EnvironmentFailure } from '../../environment/environment-failure.ts'
import type { ArgsOf, ValueOf } from '../wire/methods.ts'
import type { Calls } from './calls.ts'
import { collectBytes } from './collect-bytes.ts'
import { hearCommand } from './hear-command.ts'
import { mustBe, type RemoteParts } from './remote-parts.ts'
import { redacted } from './redacted-streams.ts'

/** Maximum number of bytes of one file in a copy. */
const MAX_BYTES = 512 * 1024 ** 2

/** The copies of the far side. */
export function remoteCopies({ call }: Pick<Calls, 'call'>, parts: RemoteParts): CommandCopies {
  const { line, hosts } = parts
  let support: Promise<CopySupport> | null = null
  return {
    async support() {
      const asked = support ?? call('copySupport', {})
      support = asked
      const forget = (): void => void (support === asked && (support = null))
      // What is missing may be installed at any time.
      void asked.then(({ kind }) => kind === 'absent' && forget(), forget)
      return asked
    },
    async run(command, { signal, terminal, onHost, ...options } = {}) {
      const size = terminal && { columns: terminal.columns, rows: terminal.rows }
      const heard = hearCommand(line, options, terminal && size ? { size, onOpen: terminal.onOpen } : null)
      const args = {
        command,
        wants: [...heard.wants],
        keeps: parts.isFar,
        options: { ...sendable(options), terminal: size, asksHosts: onHost !== undefined },
      }
      let copy = 0
      const contents: Uint8Array[] = []
      const decision = hosts.decide(onHost)
      const onId = (id: number): void => {
        copy = id
        heard.onId(id)
        decision.onId(id)
      }
      try {
        const onContent = (bytes: Uint8Array): void => void contents.push(bytes)
        const ended = await call('runCopy', args, { ...heard, onId, signal, onContent, answersAbort: true })
        heard.end()
        return endedCopy({ ...ended, result: redacted(ended.result, line.redactor) }, { copy, contents }, call, parts)
      } finally {
        decision.dispose()
      }
    },
    confine: (options = {}) => confine({ call }, parts, options),
    sign: (files) => line.channel.send({ kind: 'sign', files: [...files] }),
    parseKept,
    async apply(kept, bytesOf, only) {
      const wanted = only && new Set(only)
      // A change set with obstacles is refused, and its contents may not be stored.
      const written = kept.obstacles.length > 0 ? [] : kept.changes.filter(({ path }) => !wanted || wanted.has(path))
      const hashes = [...new Set(written.flatMap(newContent))]
      const bytes: Uint8Array[] = []
      for (const hash of hashes) bytes.push(await bytesOf(hash))
      const args = { kept: plainKept(kept), only: only && [...only], contents: bytes.map(({ length }) => length), hashes }
      return call('applyKept', args, { bytes })
    },
    ignoredParts: async (paths) =>
      paths.length === 0 ? [] : call('ignoredParts', { paths: paths.map(({ path, isFolder }) => ({ path, isFolder })) }),
    keeps: (path) => call('keepsPath', { path }),
    async release({ changes }) {
      // Only complete folders are kept there.
      if (!changes.some((change) => change.kind === 'created' && change.after.kind === 'tree')) return
      await call('releaseKept', { changes: [...changes] })
    },
    async cleanup() {
      if (!parts.isLost()) await call('cleanupCopies', {})
    },
  }
}

type Sent = Omit<ArgsOf<'runCopy'>['options'], 'terminal' | 'asksHosts' | 'keeps'>

function sendable(options: Omit<CopyOptions, 'signal' | 'terminal' | 'onHost'>): { readonly [K in keyof Sent]: Sent[K] | undefined } {
  const { timeoutMs, pausesForInput, workingDir, envVars, hosts, denied, state, localPorts, isFilled, hasHardLinks, maxBytes } = options
  return {
    timeoutMs,
    pausesForInput,
    workingDir,
    envVars: envVars && { ...envVars },
    hosts: hosts && [...hosts],
    denied: denied && [...denied],
    state: state && { before: state.before },
    localPorts: localPorts && [...localPorts],
    isFilled,
    hasHardLinks,
    maxBytes,
  }
}

const plainKept = ({ version, folder, device, changes, obstacles, leftOut }: KeptChangeSet): KeptChangeSet => ({
  version,
  folder,
  device,
  changes,
  obstacles,
  leftOut,
})

/** The hash of the content that a change writes. Empty if it writes none. */
function newContent(change: KeptChangeSet['changes'][number]): readonly BlobHash[] {
  return change.kind === 'deleted' || change.after.kind !== 'file' ? [] : [BlobHash.parse(change.after.hash)]
}

/** `contents`: those of the changed files, if they came with the answer. */
function endedCopy(
  { kept: keptAlready, ...ended }: ValueOf<'runCopy'>,
  { copy, contents }: { readonly copy: number; readonly contents: readonly Uint8Array[] },
  call: Calls['call'],
  { facts, isLost, isFar }: RemoteParts,
): EndedCopy {
  return {
    ...ended,
    async bytes(path) {
      const collected = collectBytes(MAX_BYTES)
      await call('copyBytes', { copy, path }, { onPiece: collected.take })
      return collected.all()
    },
    apply: (only) => call('applyCopy', { copy, only: only && [...only] }),
    async keep(store) {
      const stored = storedContents(store)
      if (keptAlready) contents.forEach(stored.take)
      const kept = keptAlready ?? (await call('keepCopy', { copy }, { onContent: stored.take }))
      const hashes = await stored.all()
      mustBe(kept.folder === facts.folder, 'the changes belong to another folder')
      mustBe(
        kept.obstacles.length > 0 || kept.changes.flatMap(contentsOf).every((hash) => hashes.has(hash)),
        'the content of a file is missing',
      )
      return kept
    },
    async gitChange(store) {
      if (!ended.changeSet.changes.some(({ path }) => path.startsWith('.git/'))) return null
      const stored = storedContents(store)
      const change = await call('gitChange', { copy }, { onContent: stored.take })
      await stored.all()
      return change
    },
    async drop() {
      if (isLost()) return
      const dropped = call('dropCopy', { copy })
      // If it fails, the folder of copies is cleaned at the next start there.
      if (isFar) dropped.catch(() => {})
      else await dropped
    },
  }
}

function contentsOf(change: KeptChangeSet['changes'][number]): readonly string[] {
  const before = change.kind !== 'created' && change.before.kind === 'file' ? [change.before.hash] : []
  return [...before, ...newContent(change)]
}

/** Stores contents in the order in which they arrive. */
export function storedContents(store: StoreBytes) {
  const hashes = new Set<string>()
  let last: Promise<unknown> = Promise.resolve()
  return {
    take(bytes: Uint8Array): void {
      last = last.then(async () => hashes.add(await store(bytes)))
      last.catch(() => {})
    },
    async all(): Promise<ReadonlySet<string>> {
      await last
      return hashes
    },
  }
}

async function confine(
  { call }: Pick<Calls, 'call'>,
  { line: { channel }, hosts, confinements, isLost }: RemoteParts,
  { onHost, owner, ...options }: ConfineOptions,
): Promise<Confined> {
  let id = 0
  let marks = 0
  const sent = {
    hosts: options.hosts && [...options.hosts],
    denied: options.denied && [...options.denied],
    visible: options.visible && [...options.visible],
    owner: owner && { sessionId: owner.sessionId, what: owner.what },
    // This side learns which hosts were refused only if it is asked about every host.
    asksHosts: true,
  }
  const decision = hosts.decide(onHost)
  const onId = (own: number): void => {
    id = own
    decision.onId(own)
  }
  await call('confine', { options: sent }, { onId }).catch((error: unknown) => {
    decision.dispose()
    throw error
  })
  const confined: Confined = {
    wrap() {
      throw new EnvironmentFailure('ENOTSUP', 'This confinement is on another machine (ENOTSUP).')
    },
    get blocked() {
      return decision.blocked
    },
    setAside: (since) => call('setAside', { confined: id, since }),
    suspect(since) {
      const mark = ++marks
      channel.send({ kind: 'suspect', id, mark, since })
      return disposable(() => channel.send({ kind: 'unsuspect', id, mark }))
    },
    async close() {
      decision.dispose()
      if (!isLost()) await call('closeConfined', { confined: id })
    },
  }
  confinements.set(confined, id)
  return confined
}
