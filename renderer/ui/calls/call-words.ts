import type { CallItem } from '../../../shared/session/state.ts'
import { commandDetails, lineOf } from '../../../shared/tools/catalogue.ts'
import { isLayerWork } from '../../../shared/session/effects.ts'
import type { AmendedFile } from '../../../shared/session/amendment.ts'
import type { CopyOutcome } from '../../../shared/session/events.ts'
import { type GitChange, isGitRecord } from '../../../shared/session/git-change.ts'
import { countTouched } from '../../../shared/session/touched-files.ts'
import { byteSize, counted } from '../format.ts'
import { isInLayer } from './call-mark.ts'
import { joined } from '../../../shared/tools/spec/call-line.ts'

/** The words of a step's line: the first subject, and the number of further subjects. */
export interface CallWords {
  readonly verb: string
  readonly subject: string
  readonly rest: string
  /** Whether the subject is a path. If space is short, its middle is left out. */
  readonly isPath: boolean
}

export function wordsOf(call: CallItem): CallWords {
  const { verb, subjects, rest, isPath = false } = lineOf(call)
  const [subject = '', ...more] = subjects
  return {
    verb,
    subject,
    rest: joined([more.length === 0 ? '' : `and ${more.length} more`, rest, copyWords(call), amendedWords(call)]),
    isPath,
  }
}

/** Whether the call is a command that can write only in the folder. */
export const isConfined = ({ effects }: Pick<CallItem, 'effects'>): boolean =>
  effects.some((effect) => effect.kind === 'command' && effect.sandbox === 'confined')

/** Returns the outcome of a command in its copy, or says that the command is confined. Empty for other calls. */
function copyWords(call: CallItem): string {
  const { copy, status, effects, approval } = call
  const outcome = copy?.outcome
  if (!outcome) return isConfined(call) ? 'confined' : layerWords(call)
  const { reached = [] } = outcome
  const net = reached.length === 0 ? '' : `, reached ${reached.length === 1 ? reached[0] : counted(reached.length, 'host')}`
  if (outcome.changeSet === null) return `in a copy, ${outcome.dropped === null ? 'changed nothing' : 'changes not kept'}${net}`
  const files = changedWords(outcome, effects)
  if (status === 'waiting') return 'in a copy, waits for you'
  const isOfLayer = effects.some((effect) => effect.kind === 'command' && isLayerWork(effect))
  if (status === 'refused') return isOfLayer ? 'not applied' : 'in a copy, which was deleted'
  // The changes of a command that exits with a failure are applied like those of any other.
  const isUnapplied = (status === 'failed' || status === 'stopped' || status === 'interrupted') && call.files.length === 0
  if (isUnapplied) return isOfLayer ? 'not applied' : 'in a copy, changes not applied'
  if (isInLayer(call)) return `${files} in the layer`
  return `${files} ${approval?.answer?.kind === 'signed' ? 'signed' : 'applied'}`
}

/** What a command that ran in the layer itself changed there. Empty for other calls, and until the command has ended. */
function layerWords({ effects, files, endedAt }: CallItem): string {
  if (endedAt === null || !effects.some((effect) => effect.kind === 'command' && effect.sandbox === 'layer')) return ''
  return files.length === 0 ? 'changed nothing' : `${counted(files.length, 'file')} in the layer`
}

function changedWords({ git }: CopyOutcome, effects: CallItem['effects']): string {
  const files = countTouched(effects)
  const hasGit = git !== undefined && touchesGit(effects)
  const trees = effects.flatMap((effect) =>
    effect.kind === 'folder' && effect.tree ? [`${effect.shown} with ${manyFiles(effect.tree.files)}`] : [],
  )
  const isOther = hasGit || trees.length > 0
  return joined([files > 0 || !isOther ? counted(files, 'file') : '', ...trees, hasGit ? gitWords(git) : ''], ', ')
}

/** What a step has done to the repository, in git's terms. Null if it did nothing or was not signed. */
export function appliedGit({ status, copy, effects }: CallItem): GitChange | null {
  return status === 'done' && touchesGit(effects) ? (copy?.outcome?.git ?? null) : null
}

/** Describes a file tree: "12,345 files, 210 MB". */
export const treeWords = ({ files, bytes }: { readonly files: number; readonly bytes: number }): string =>
  `${manyFiles(files)}, ${byteSize(bytes)}`

/** A number of files in words. There is no singular form, because trees have hundreds of files. */
const manyFiles = (files: number): string => `${files.toLocaleString('en-US')} files`

const touchesGit = (effects: CallItem['effects']): boolean => effects.some((effect) => 'shown' in effect && isGitRecord(effect.shown))

/** Returns "2 commits", or "repository" if the repository has changed without new commits. */
const gitWords = ({ commits, more }: GitChange): string =>
  commits.length === 0 ? 'repository' : `${counted(commits.length, 'commit')}${more ? ' and more' : ''}`

/** Why changes that a command made in its copy are not applied, and which paths are never applied. Empty if nothing is lost. */
export function lostWords(call: CallItem): string {
  const { dropped = null, leftOut = [] } = call.copy?.outcome ?? {}
  const notApplied = commandDetails(call)?.notApplied
  const never = leftOut.length > 0 ? [`Never applied: ${leftOut.join(', ')}.`] : []
  return [
    ...(dropped === null ? [] : [`Its changes were not kept. ${dropped}`]),
    ...(notApplied === undefined ? [] : [notApplied]),
    ...never,
  ].join(' ')
}

/** What the user changed before signing: "1 hunk refused, 1 hunk in your version". */
function amendedWords({ approval }: CallItem): string {
  const answer = approval?.answer
  const files = answer?.kind === 'signed' ? answer.amended?.files : answer?.kind === 'refused' ? answer.later : undefined
  if (!files) return ''
  const sum = (count: (file: AmendedFile) => number): number => files.reduce((total, file) => total + count(file), 0)
  const isGit = (file: AmendedFile): boolean => isGitRecord(file.shown)
  const whole = sum((file) => (file.hunks === 0 && !isGit(file) && !file.later ? 1 : 0))
  const later = sum((file) => file.later?.hunks || (file.later ? 1 : 0))
  const no = sum((file) => file.rejected)
  const edited = sum((file) => file.edited)
  return [
    ...(no > 0 ? [`${counted(no, 'hunk')} refused`] : []),
    ...(edited > 0 ? [`${counted(edited, 'hunk')} in your version`] : []),
    ...(whole > 0 ? [`${counted(whole, 'file')} refused`] : []),
    ...(files.some((file) => file.left && isGit(file)) ? ['repository refused'] : []),
    ...(later > 0 ? [`${counted(later, 'part')} to decide later`] : []),
  ].join(', ')
}

/** The first line of a command. An ellipsis stands for the other lines. */
export function firstLine(text: string): string {
  const end = text.indexOf('\n')
  return end === -1 ? text : `${text.slice(0, end)} …`
}

/** Maximum number of characters of a program path on the line of a step. */
const PROGRAM_ROOM = 24

/**
 * Returns a command with a shortened program path: if the absolute path is long, its middle is left out, as in "/opt/…/node --test". For
 * lines that say what happened, never for requests to sign.
 */
export function withShortProgram(command: string): string {
  const [, quote = '', path = '', rest = ''] = /^(["']?)(\/[^\s"']+)\1(.*)$/s.exec(command) ?? []
  if (path.length <= PROGRAM_ROOM) return command
  const folders = path.split('/')
  if (folders.length < 4) return command
  return `${quote}/${folders[1]}/…/${folders.at(-1)}${quote}${rest}`
}
