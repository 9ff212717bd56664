import type { AnyEnvelope, Trouble } from '../../shared/session/events.ts'
import type { SessionState } from '../../shared/session/state.ts'
import type { Disposable } from '../../shared/lib/disposable.ts'
import type { App } from '../compose/app.ts'
import { createPictures } from '../sessions/attached-pictures.ts'
import type { FamilyRequest } from '../subagents/subagent-requests.ts'
import { blobFileOf } from '../store/blobs/blob-parts.ts'
import { chosenSession, newConfig } from './start/chosen-session.ts'
import type { RunFlags } from './start/flags.ts'
import { givenPictures } from './start/option-files.ts'
import { givenPlan } from './start/given-plan.ts'
import { jsonLines } from './report/json-lines.ts'
import { reportServers } from './report/report-servers.ts'
import { complain, type Progress, type Write, sentences } from './report/standard-output.ts'
import { readableReport } from './report/readable-report.ts'
import { runTask } from './run-task.ts'
import { endTrouble, eventWithCommandLineAdvice, withCliAdvice, limitWithCommandLineAdvice } from './report/cli-advice.ts'
import { countRefusals } from './asking/count-refusals.ts'
import type { Bytes } from './asking/effect-rows.ts'
import type { StopCause } from './stop-signals.ts'
import { terminalFor } from './asking/terminal-lines.ts'
import { visibleLine } from './report/visible-text.ts'

export interface TaskOrRehearsalParts {
  readonly app: App
  readonly flags: RunFlags
  /** The real path of the project folder, if it exists. */
  readonly cwd: string
  readonly write: Write
  /** Aborting stops the turn. Its reason is a `StopCause`. */
  readonly signal: AbortSignal
}

/**
 * Runs the task or the rehearsal and returns the exit code. If it did not finish, reports the reason on standard error, unless progress
 * already did.
 */
export async function runTaskOrRehearsal({ app, flags, cwd, write, signal }: TaskOrRehearsalParts): Promise<number> {
  const asJson = flags.json ?? !process.stdout.isTTY
  let { provider } = newConfig(app, flags)
  const bytes: Bytes = { get: app.store.blobs.get, file: (hash) => blobFileOf(app.store.blobs, app.parts.dataFolder, hash) }
  const shown = asJson ? jsonLines(write, bytes.file) : readableOn(write)
  let trouble: Trouble | null = null
  // Whether a hook blocked the message. It is remembered here, because a blocked message is removed from the conversation and the session's
  // final state does not mention it.
  let isBlocked = false
  const refusals = countRefusals(flags.approve)
  let servers: Disposable | null = null
  const progress: Progress = {
    show(given) {
      const envelope = { ...given, event: eventWithCommandLineAdvice(given.event, provider) } as AnyEnvelope
      refusals.show(envelope.event)
      if (envelope.event.kind === 'ERROR') {
        trouble = envelope.event.error
        isBlocked = trouble.code === 'message_blocked'
      }
      if (envelope.event.kind === 'TURN_LIMIT') trouble = limitWithCommandLineAdvice(envelope.event)
      shown.show(envelope)
    },
    end: shown.end,
  }
  try {
    if (signal.aborted) return fail(STOPPED_EARLY, signal)
    if (flags.rehearse)
      return await (
        await import('./play-rehearsal.ts')
      ).playRehearsal({
        starter: app.starter,
        open: app.sessions.open,
        progress,
        signal,
        audience: asJson ? null : { write, bytes, width: widthOfOutput },
      })
    const pictures = await givenPictures(flags.images, createPictures(app.store.blobs))
    if (!pictures.ok) return wrongUse(pictures.failure)
    const plan = await givenPlan(flags.plan)
    if (!plan.ok) return wrongUse(plan.failure)
    const chosen = await chosenSession({ app, flags, cwd, said: { text: flags.task, pictures: pictures.value }, plan: plan.value })
    if (!chosen.ok) return fail(chosen.failure, signal)
    const { session, isNew, begin } = chosen.value
    provider = session.record.state().config.provider
    servers = reportServers(app.mcp, chosen.value.session.record.state().cwd, (words) => complainAfter(progress, app.redactor.text(words)))
    const answers = { terminal: terminalFor(asJson), bytes, pause: flags.pause }
    const ran = await runTask({ session, begin, history: isNew, progress, answers, open: app.sessions.open, signal })
    if (ran.kind === 'not_begun') return fail(ran.trouble, signal)
    if (ran.kind === 'elsewhere') {
      complain('Answered. The session continues in the process that runs it.\n')
      return 0
    }
    const unsigned = refusals.words()
    if (ran.kind === 'paused') {
      if (unsigned !== null) complainAfter(progress, unsigned)
      return pausedAt(ran.waiting, progress, app)
    }
    const { state } = ran
    const unsaved = session.record.trouble()
    if (unsaved) return fail(withCliAdvice(unsaved, provider), signal)
    const why = endTrouble({ state, trouble, dataFolder: app.parts.dataFolder })
    if (why && asJson) fail(why, signal)
    if (unsigned !== null && !QUIET.has(signal.reason)) complainAfter(progress, unsigned)
    return isBlocked ? 1 : exitCodeOf(state)
  } finally {
    servers?.dispose()
    progress.end()
  }
}

function wrongUse(words: string): number {
  complain(`${visibleLine(words)}\n`)
  return 2
}

/** Ends the current line on standard output first, because both outputs may go to the same terminal. */
function complainAfter(progress: Progress, words: string): void {
  progress.end()
  complain(words)
}

/** Only a completed turn counts as success. */
const exitCodeOf = ({ ended }: SessionState): number => (ended === 'completed' ? 0 : 1)

/** These causes need no message: the reader of the output ended on its own, or the error was already reported. */
const QUIET: ReadonlySet<unknown> = new Set<StopCause>(['reader_gone', 'output_failed'])

function fail(trouble: Trouble, signal: AbortSignal): number {
  if (!QUIET.has(signal.reason)) complain(sentences(trouble))
  return 1
}

const STOPPED_EARLY: Trouble = {
  code: 'stopped',
  what: 'The run was stopped before the task began.',
  kept: 'Everything is unchanged: no session was created, and no request was sent to a model.',
  todo: 'Start the run again.',
}

/** For `--pause`: lists the open requests, which a script or a window can answer. Returns the exit code. */
function pausedAt(waiting: readonly FamilyRequest[], progress: Progress, { parts }: App): number {
  const asked = waiting.map(({ call }) => `${call.approval.approvalId} (${call.toolName})`)
  const [first] = waiting
  progress.end()
  complain(
    sentences({
      code: 'paused',
      what: `The run paused: ${asked.join(', ')} ${asked.length === 1 ? 'waits' : 'wait'} for a signature.`,
      kept: `Everything done so far is kept: session ${first?.session.sessionId ?? ''} in ${parts.dataFolder}.`,
      todo: `Answer with --answer ${first?.call.approval.approvalId ?? ''} sign (or refuse, or the answers to its questions), or open the session in a window (npm start).`,
    }),
  )
  return 3
}

function readableOn(write: Write): Progress {
  const { stdout } = process
  const colour = stdout.isTTY && !process.env['NO_COLOR']
  return readableReport({ write, colour, width: widthOfOutput })
}

const widthOfOutput = (): number | null => (process.stdout.isTTY ? process.stdout.columns || null : null)
