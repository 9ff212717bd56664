import type { ConversationPoint } from '../../shared/session/conversation-move.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { isGitRecord, withoutGitRecords } from '../../shared/session/git-change.ts'
import { foldersWithoutFiles } from '../../shared/session/file-change.ts'
import { type DoneRollback, type SkippedFile, type UndoTarget, undoneWords, undoSkipWords } from '../../shared/session/rollback.ts'
import type { UndoPreview } from '../../shared/session/undo-preview.ts'
import type { App } from '../compose/app.ts'
import type { OpenedSession } from '../sessions/opened-session.ts'
import { complain, failWith, sentences, type Write } from './report/standard-output.ts'
import { visibleLine } from './report/visible-text.ts'
import { storedSession } from './start/chosen-session.ts'
import type { RunFlags } from './start/flags.ts'
import type { UndoFlags } from './start/undo-arguments.ts'

interface UndoRun {
  readonly app: App
  readonly flags: RunFlags
  readonly undo: UndoFlags
  /** Real path of the project folder. */
  readonly cwd: string
  readonly write: Write
}

/** One line of the output about one file. */
interface Line {
  readonly kind: 'restored' | 'deleted' | 'merged' | 'skipped' | 'conflict' | 'uncovered'
  readonly path: string
  /** A `SkipReason` or a sentence. */
  readonly why?: string
  /** The reason in words. If absent, `why` is enough. */
  readonly words?: string
}

/** Undoes steps of a stored session, or reports what that would do. Returns the exit code: 0 if nothing was left out. */
export async function undoSteps({ app, flags, undo, cwd, write }: UndoRun): Promise<number> {
  const opened = await storedSession({ app, cwd }, flags.session)
  if (!opened.ok) return failWith(opened.failure)
  const session = opened.value
  const meant = meantBy(undo, session)
  if (!meant) return failWith(NO_UNDO)
  if ('step' in meant.target && meant.target.step > session.record.state().steps)
    return failWith(noStep(meant.target.step, session.record.state().steps))
  const found = await session.previewUndo(meant.target)
  if (!found.ok) return failWith(found.failure)
  const planned = linesOf(found.value, undo.anyway)
  const asJson = flags.json ?? !process.stdout.isTTY
  const end = undo.preview ? null : await carriedOut(session, found.value, { undo, point: meant.point })
  const refusal = end && 'code' in end ? end : null
  const done = end && 'notDone' in end ? end : null
  const lines = done ? linesDone(planned, done.notDone) : planned
  const left = lines.filter(({ kind }) => kind === 'skipped' || kind === 'conflict')
  // If files that are left out are the only ones, their lines say why.
  if (refusal && (refusal.code !== 'nothing_to_undo' || left.length === 0)) return failWith(refusal)
  const outcome = refusal ? 'refused' : done ? 'done' : 'preview'
  const made = madeIn(found.value)
  if (asJson) write(`${JSON.stringify({ sessionId: session.sessionId, outcome, target: meant.target, made, files: lines.map(asCodes) })}\n`)
  else {
    const head = done ? `${undoneWords(meant.target)}.` : previewWords(meant.target)
    write([madeWords(made), head, ...lines.map(readable), ''].join('\n'))
  }
  if (refusal) return failWith(refusal)
  const notWritten = done?.notDone.filter(({ why }) => why === 'not-written') ?? []
  const unsaved = done && session.record.trouble()
  if (notWritten.length > 0) complain(sentences(notWrittenTrouble(notWritten)))
  if (unsaved) complain(sentences(unsavedTrouble(unsaved)))
  return left.length === 0 && !unsaved ? 0 : 1
}

/** Number of files that the work to be undone has created, modified and deleted. */
interface Made {
  readonly created: number
  readonly modified: number
  readonly deleted: number
}

function madeIn({ files, skipped, conflicts }: UndoPreview): Made {
  const changes = [...files, ...skipped, ...conflicts].flatMap(({ change }) => (change === null ? [] : [change]))
  const created = changes.filter(({ after }) => after === null).length
  const deleted = changes.filter(({ before, after }) => before === null && after !== null).length
  return { created, modified: changes.length - created - deleted, deleted }
}

function madeWords({ created, modified, deleted }: Made): string {
  const also = deleted === 0 ? '' : `, ${deleted} deleted`
  return `${created} ${created === 1 ? 'file' : 'files'} created, ${modified} modified${also}.`
}

function notWrittenTrouble([first, ...more]: readonly SkippedFile[]): Trouble {
  const others = more.length === 0 ? '' : ` ${more.length} more could not be changed either.`
  return {
    code: 'files_not_written',
    what: `${first?.shown ?? ''} could not be changed: ${first?.detail?.replace(/\.$/u, '') ?? 'the reason is unknown'}.${others}`,
    kept: 'These files are unchanged. The history lists what was undone and what was not.',
    todo: 'Remove the cause, for example by freeing some space, then run the same command again.',
  }
}

const unsavedTrouble = ({ code, what, todo }: Trouble): Trouble => ({
  code,
  what: `The files are as listed, but the end of the undo could not be recorded. ${what}`,
  kept: 'The history records that the undo began.',
  todo: `${todo} The next start of Countersign completes the record.`,
})

interface Meant {
  readonly target: UndoTarget
  readonly point: ConversationPoint | null
}

/** Null if there is no undo to revert. */
function meantBy({ what, conversation }: UndoFlags, { record }: OpenedSession): Meant | null {
  if (what.kind !== 'redo') return { target: what, point: conversation && what.kind === 'to' ? pointOf(what.step, record) : null }
  const newest: DoneRollback | undefined = record.state().rollbacks.at(-1)
  if (!newest) return null
  const { rollbackId } = newest
  for (const { seq, event } of record.read())
    if (event.kind === 'ROLLED_BACK' && event.rollbackId === rollbackId && event.conversation)
      return { target: { kind: 'rollback', rollbackId }, point: { kind: 'before', seq } }
  return { target: { kind: 'rollback', rollbackId }, point: null }
}

/** Step 0 stands for the beginning of the session, which is before the first message. */
function pointOf(step: number, record: OpenedSession['record']): ConversationPoint | null {
  if (step > 0) return { kind: 'step', step }
  for (const { seq, event } of record.read()) if (event.kind === 'USER_INPUT') return { kind: 'before', seq }
  return null
}

interface CarriedOut {
  /** Files that the undo left unchanged, for whatever reason. */
  readonly notDone: readonly SkippedFile[]
}

async function carriedOut(
  session: OpenedSession,
  { target, plan, skipped, conflicts }: UndoPreview,
  { undo, point }: { readonly undo: UndoFlags; readonly point: ConversationPoint | null },
): Promise<CarriedOut | Trouble> {
  const outcome = await session.undo({
    target,
    plan,
    anyway: undo.anyway ? skipped.map(({ path }) => path) : [],
    // A file in conflict is left unchanged, because the user can decide about lines only in the desk.
    choices: conflicts.map(({ path, regions }) => ({
      path,
      choices: Array.from({ length: Math.max(1, regions.length) }, () => 'now' as const),
    })),
    ...(point && { conversation: point }),
  })
  if (outcome.kind === 'done') return { notDone: outcome.rollback.skipped }
  if (outcome.kind === 'changed') return CHANGED
  if (outcome.trouble.code !== 'nothing_to_undo' || !point) return outcome.trouble
  const moved = await session.goBack(point)
  return moved.ok ? { notDone: [] } : moved.trouble
}

/** A file that should have been changed but could not be is listed as skipped, with the reason. */
function linesDone(planned: readonly Line[], notDone: readonly SkippedFile[]): readonly Line[] {
  const reasons = new Map(notDone.map((file) => [isGitRecord(file.shown) ? '.git/' : file.shown, file]))
  return planned.map((line) => {
    const left = reasons.get(line.path)
    const isChange = line.kind === 'restored' || line.kind === 'deleted' || line.kind === 'merged'
    if (!isChange || left === undefined) return line
    return { kind: 'skipped', path: line.path, why: left.detail ?? left.why, words: undoSkipWords(left) }
  })
}

function linesOf({ files: all, folders, skipped, conflicts, uncovered }: UndoPreview, anyway: boolean): readonly Line[] {
  const { others: files, hasRecords } = withoutGitRecords(all.map((file) => ({ ...file, shown: file.change.shown })))
  return [
    ...(hasRecords ? [{ kind: 'restored', path: '.git/' } as const] : []),
    ...files.map(({ change, merged }): Line => {
      return { kind: change.after === null ? 'deleted' : merged ? 'merged' : 'restored', path: change.shown }
    }),
    ...foldersWithoutFiles(
      withoutGitRecords(folders).others,
      files.map(({ change }) => change),
    ).map(({ shown, after }): Line => ({ kind: after === null ? 'deleted' : 'restored', path: `${shown}/` })),
    ...skipped.map((file): Line => {
      const { shown, why, change } = file
      return anyway && change
        ? { kind: change.after === null ? 'deleted' : 'restored', path: shown }
        : { kind: 'skipped', path: shown, why, words: undoSkipWords(file) }
    }),
    ...conflicts.map(({ shown }): Line => ({ kind: 'conflict', path: shown, why: 'Later work changed the same lines.' })),
    ...uncovered.map(({ shown, why }): Line => ({ kind: 'uncovered', path: shown, why })),
  ]
}

function readable({ kind, path, why, words = why }: Line): string {
  return visibleLine(`  ${kind.padEnd(9)} ${path}${words === undefined ? '' : `: ${words}`}`)
}

/** A line of the JSON output, which has codes in place of words. */
const asCodes = ({ kind, path, why }: Line): Omit<Line, 'words' | 'why'> & { readonly why: string | undefined } => ({ kind, path, why })

function previewWords(target: UndoTarget): string {
  if (target.kind === 'step') return `Undoing step ${target.step} would do this:`
  if (target.kind === 'rollback') return 'Reverting the undo would do this:'
  return `Going back to ${target.step === 0 ? 'before the first step' : `step ${target.step}`} would do this:`
}

const noStep = (step: number, last: number): Trouble => ({
  code: 'no_step',
  what: `This session has no step ${step}.`,
  kept: 'All files are unchanged.',
  todo: last === 0 ? 'It has no steps yet.' : `Its last step is step ${last}; export ID lists all steps.`,
})

const NO_UNDO: Trouble = {
  code: 'nothing_to_redo',
  what: 'There is nothing to redo.',
  kept: 'All files are unchanged.',
  todo: 'No action needed.',
}

const CHANGED: Trouble = {
  code: 'files_changed',
  what: 'The files changed while the undo was being prepared, so nothing was undone.',
  kept: 'All files are unchanged.',
  todo: 'Run the command again.',
}
