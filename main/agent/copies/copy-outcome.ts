import { groupedCount, listedNames } from '../../../shared/lib/short-count.ts'
import type { CommandEffect, Effect } from '../../../shared/session/effects.ts'
import type { CopyOutcome } from '../../../shared/session/events.ts'
import { createSlices } from '../event-loop-slices.ts'
import type { Copies, DispatchParts } from '../dispatch/dispatch-parts.ts'
import type { CopyChangeSet, CopyObstacle, EndedCopy, LeftOut } from '../ports/command-copies.ts'
import type { ToolOutput } from '../ports/tool.ts'
import { redacted, withWords } from '../tool-output.ts'
import type { HostRequests } from './host-requests.ts'
import { storedAsJson } from './copy-commit.ts'

interface Copied {
  readonly effects: readonly [CommandEffect]
  readonly ran: { readonly output: ToolOutput; readonly durationMs: number | null }
  readonly hosts: Pick<HostRequests, 'allowed' | 'refusedPorts'>
  /** Whether the changes are dropped, as in plan mode. */
  readonly drops: boolean
}

/** What a command did in its copy, for the log. `words`: sentences for the model, added to the output. */
export async function outcomeOf(
  copy: EndedCopy,
  { effects: [command], ran, hosts, drops }: Copied,
  parts: DispatchParts & { readonly copies: Copies },
): Promise<{ readonly outcome: CopyOutcome; readonly words: readonly string[] }> {
  const slice = createSlices()
  const kept = await copy.keep(parts.blobs.putInSlices)
  const [obstacle] = kept.obstacles
  const changed: readonly Effect[] = obstacle ? [] : await parts.copies.effectsOf(kept)
  const git = obstacle ? null : await copy.gitChange(parts.blobs.putInSlices)
  const dropped = obstacle ? obstacleText(obstacle) : drops && changed.length > 0 ? 'In plan mode, nothing is changed.' : null
  const isKept = copy.changeSet.changes.length > 0 && dropped === null
  await slice()
  const changeSet = isKept ? storedAsJson(kept, parts) : null
  if (!isKept) await parts.copies.commands.release(kept)
  const blocked = [...copy.blocked.map(({ host, port }) => `${host}:${port}`), ...hosts.refusedPorts]
  const leftOut = leftOutWords(copy.changeSet.leftOut)
  const notes = [...copy.notes, ...hardLinkWords(copy.changeSet.leftOut)]
  const words = wordsForModel(copy, { blocked, leftOut, dropped, changed, notes })
  const output = redacted(ran.output, parts.redactor)
  const withNotes = words.length === 0 ? output : withWords(output, words.join(' '))
  const outcome: CopyOutcome = {
    effects: [{ ...command, ...(changeSet && { changeSet: changeSet.hash }) }, ...changed],
    changeSet,
    result: isKept ? storedAsJson({ ...withNotes, durationMs: ran.durationMs }, parts) : null,
    tail: printed(copy.result).trimEnd().slice(-2000),
    exitCode: copy.result.exitCode,
    durationMs: ran.durationMs ?? 0,
    blocked,
    ...(hosts.allowed.length > 0 && { reached: hosts.allowed }),
    leftOut,
    dropped,
    ...(copy.unfit !== null && { unfit: copy.unfit }),
    ...(notes.length > 0 && { notes }),
    ...(git !== null && { git }),
  }
  await slice()
  return { outcome, words }
}

interface Noted {
  readonly blocked: readonly string[]
  readonly leftOut: readonly string[]
  readonly dropped: string | null
  readonly changed: readonly Effect[]
  readonly notes: readonly string[]
}

function wordsForModel({ unfit }: EndedCopy, { blocked, leftOut, dropped, changed, notes }: Noted): readonly string[] {
  return [
    ...(blocked.length > 0
      ? [`The command could not reach ${blocked.join(', ')}: commands can reach only the hosts that the user allows.`]
      : []),
    ...(unfit === null ? [] : [`It failed because it ran in a copy: ${unfit}`]),
    ...(leftOut.length > 0 ? [`Never applied: ${leftOut.join(', ')}.`] : []),
    ...notes,
    ...(dropped === null ? [] : [`Its changes were not kept. ${dropped}`]),
    ...(dropped !== null && changed.length > 0 ? [`The command would have changed ${namesOf(changed)}.`] : []),
  ]
}

const printed = ({ stdout, stderr }: EndedCopy['result']): string => [stdout, stderr].filter((text) => text !== '').join('\n')

/** Special files are listed by path. Lost extended attributes are listed together at the end. */
function leftOutWords(leftOut: CopyChangeSet['leftOut']): readonly string[] {
  const attributes = listedNames(pathsOf(leftOut, 'attributes'), MAX_NAMES)
  return [
    ...leftOut.flatMap(({ path, what }) => (what === 'hard-link' || what === 'attributes' ? [] : [`${path} (${what})`])),
    ...(attributes === '' ? [] : [`the extended attributes of ${attributes}`]),
  ]
}

/** The files themselves are applied, so they are not listed as left out. */
function hardLinkWords(leftOut: CopyChangeSet['leftOut']): readonly string[] {
  const paths = pathsOf(leftOut, 'hard-link')
  if (paths.length === 0) return []
  return [`Hard links are not kept: ${listedNames(paths, MAX_NAMES)} ${paths.length === 1 ? 'is a separate file' : 'are separate files'}.`]
}

function pathsOf(leftOut: CopyChangeSet['leftOut'], wanted: LeftOut): readonly string[] {
  return leftOut.flatMap(({ path, what }) => (what === wanted ? [path] : []))
}

/** Maximum number of paths in a sentence. */
const MAX_NAMES = 20

function namesOf(effects: readonly Effect[]): string {
  return listedNames(
    effects.flatMap((effect) => ('shown' in effect ? [effect.shown] : [])),
    MAX_NAMES,
  )
}

function obstacleText(obstacle: CopyObstacle): string {
  switch (obstacle.kind) {
    case 'changed-meanwhile':
      return `${obstacle.path || 'The folder'} has changed since the command began. Run the command again.`
    case 'unreadable-file':
      return `${obstacle.path} cannot be read, so it cannot be compared with what the command saw.`
    case 'unreadable-name':
      return `The name of ${obstacle.path} is not valid UTF-8, so it cannot be shown.`
    case 'unreadable-link':
      return `The target of the link ${obstacle.path} is not valid UTF-8, so it cannot be shown or put back.`
    case 'long-path':
      return 'A path is longer than the 4,096 bytes that the system allows.'
    case 'too-many-files':
      return `The command changed more than ${groupedCount(obstacle.limit)} files.`
    case 'too-many-bytes':
      return `The command wrote more than ${Math.round(obstacle.limit / 1024 ** 2)} MB.`
    case 'blocked':
      return `The command would remove ${obstacle.what}, which is blocked in every mode.`
    case 'stopped':
      return obstacle.reason
  }
}
