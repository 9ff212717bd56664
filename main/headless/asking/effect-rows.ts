import { unifiedDiff } from '../../changes/unified-diff.ts'
import type { BlobHash } from '../../../shared/lib/ids.ts'
import type { CommandEffect, Effect, WriteEffect } from '../../../shared/session/effects.ts'
import { withoutGitRecords } from '../../../shared/session/git-change.ts'
import type { UnifiedDiff } from '../../changes/unified-diff.ts'
import { FOREIGN, rowsOf } from '../report/escaped-rows.ts'
import { exactly, visibleLine } from '../report/visible-text.ts'
import { groupedCount } from '../../../shared/lib/short-count.ts'

export interface Bytes {
  /** Throws `StorageError`. */
  get(hash: BlobHash): Uint8Array
  /** The file that contains a blob. Null if there is none. */
  file(hash: BlobHash): string | null
}

/** Everything that would be run or written, as rows for a terminal of `width` cells. Untrusted text is escaped and comes after a bar. */
export async function rowsOfEffects(effects: readonly Effect[], bytes: Bytes, width: number | null): Promise<readonly string[]> {
  const ours = (text: string): readonly string[] => rowsOf(exactly(visibleLine(text)), { ...FOREIGN, first: '   ' }, width)
  const foreign = (text: string): readonly string[] => rowsOf(exactly(text), FOREIGN, width)
  const changed = (before: BlobHash | null, after: BlobHash | null): readonly string[] => {
    const diff = unifiedDiff(before && bytes.get(before), after && bytes.get(after))
    return diff.kind === 'text' ? diff.lines.flatMap((line) => foreign(line)) : ours(notShown(diff, [before, after], bytes))
  }
  const isByCommand = effects.some(({ kind }) => kind === 'command')
  const { others, hasRecords } = isByCommand ? withoutGitRecords(effects) : { others: effects, hasRecords: false }
  const rows = others.flatMap((effect) => {
    switch (effect.kind) {
      case 'command':
        return [...ours(runHead(effect)), ...foreign(effect.command), ...variables(effect).flatMap(ours)]
      case 'write': {
        const { added = '?', removed = '?' } = effect.lines ?? {}
        return [
          ...ours(`${effect.before ? 'write' : 'create'} ${effect.shown} (+${added} -${removed})${programNote(effect)}:`),
          ...changed(effect.before, effect.after),
        ]
      }
      case 'delete':
        return [...ours(`delete ${effect.shown}:`), ...changed(effect.before, null)]
      case 'permissions':
        return ours(`change the permissions of ${effect.shown} from ${octal(effect.before)} to ${octal(effect.after)}`)
      case 'link':
        return ours(effect.after === null ? `delete the link ${effect.shown}` : `make ${effect.shown} a link to ${effect.after}`)
      case 'folder':
        return ours(`${effect.change === 'created' ? 'create' : 'delete'} the folder ${effect.shown}${treeNote(effect.tree)}`)
      case 'read':
        return ours(`read ${effect.path}, ${effect.outside ? 'outside the folder' : 'which may hold secrets'}`)
      case 'network':
        return ours(`reach ${effect.url}`)
      case 'mode':
        return [
          ...ours(`leave plan mode and switch to ${effect.to} mode${effect.plan === null ? '' : ', with this plan:'}`),
          ...foreign(effect.plan ?? ''),
        ]
      case 'question':
        return [
          ...(effect.from ? [...ours(`answer the MCP server ${effect.from.server}, which says:`), ...foreign(effect.from.message)] : []),
          ...((effect.from?.address ?? null) === null ? [] : ours(`open ${effect.from?.address}`)),
          ...effect.questions.flatMap(({ question }) => ours(`ask: ${question}`)),
        ]
      case 'review':
        return effect.steps.flatMap(({ title }) => ours(`continue after: ${title}`))
      case 'unknown':
        return [...ours(effect.summary), ...foreign(effect.tool?.arguments ?? '')]
    }
  })
  return [...rows, ...(hasRecords ? ours('change the repository, as listed above') : [])]
}

function runHead({ sandbox, changeSet, cwd, timeoutMs, subagent, broughtFrom }: CommandEffect): string {
  if (broughtFrom) return `apply what the session changed in its layer, in ${cwd}:`
  if (subagent) return `apply what this subagent changed in its own copy of ${cwd}:`
  if (sandbox === 'layer') return `run in the layer over ${cwd}, for at most ${timeoutMs / 1000} s:`
  if (sandbox !== 'copy')
    return `run ${sandbox === 'confined' ? 'confined to the folder, ' : ''}in ${cwd}, for at most ${timeoutMs / 1000} s:`
  // If there is no change set, the command is still running and wants to reach a host.
  return changeSet === undefined ? `continue in its copy of ${cwd}:` : `apply what this command changed in its copy, in ${cwd}:`
}

/** Mentions the permissions of a new file only if it is executable. Other new files get the default permissions. */
const programNote = ({ before, mode = 0 }: WriteEffect): string =>
  before === null && (mode & 0o111) !== 0 ? `, which can be run as a program (permissions ${octal(mode)})` : ''

const octal = (mode: number): string => mode.toString(8).padStart(4, '0')

const variables = ({ env }: CommandEffect): readonly string[] =>
  Object.entries(env).map(([name, value]) => `with ${name}=${JSON.stringify(value)}`)

function notShown({ kind }: UnifiedDiff, hashes: readonly (BlobHash | null)[], { file }: Bytes): string {
  const why = kind === 'binary' ? 'It is not text' : 'It is too large to be read here'
  const files = hashes.flatMap((hash) => (hash === null ? [] : [file(hash)])).filter((path) => path !== null)
  return `${why}; the bytes are in ${files.join(' (before) and ')}${files.length > 1 ? ' (after)' : ''}.`
}

function treeNote(tree: { readonly files: number; readonly bytes: number } | undefined): string {
  return tree === undefined
    ? ''
    : ` with ${groupedCount(tree.files)} files (${groupedCount(Math.ceil(tree.bytes / 1e6))} MB), which git ignores`
}
