import type { AnyEnvelope, Trouble, SessionConfigured } from '../../shared/session/events.ts'
import type { SessionState } from '../../shared/session/state.ts'
import type { App } from '../app.ts'
import { checkBaseUrl, providerEntry } from '../providers/registry.ts'
import { createPictures } from '../sessions/pictures.ts'
import { blobFileOf } from '../store/blob-file-of.ts'
import type { RunFlags } from './flags.ts'
import { givenPictures } from './given-pictures.ts'
import { jsonLines } from './json-lines.ts'
import { complain, type Write } from './output.ts'
import type { Progress } from './progress.ts'
import { readable } from './readable.ts'
import { modeOf, runTask } from './run-task.ts'
import { sentences } from './sentences.ts'
import { endTrouble, eventInShellWords, inShellWords, limitInShellWords } from './shell-words.ts'
import { countRefusals } from './refusals.ts'
import type { Bytes } from './shown-effects.ts'
import type { StopCause } from './stop-signals.ts'
import type { PersonTerminal } from './terminal-lines.ts'
import { visibleLine } from './visible.ts'

export interface WorkParts {
  readonly app: App
  readonly flags: RunFlags
  /** Real path of the project folder, where it is there. */
  readonly cwd: string
  readonly write: Write
  /** Aborting stops the turn; its reason is a `StopCause`. */
  readonly signal: AbortSignal
}

/** Runs the one task, or the rehearsal; the exit code. What kept it from its natural end is said on standard error unless progress said it. */
export async function work({ app, flags, cwd, write, signal }: WorkParts): Promise<number> {
  const asJson = flags.json ?? !process.stdout.isTTY
  const config = configOf(app, flags)
  const bytes: Bytes = { get: app.store.blobs.get, file: (hash) => blobFileOf(app.store.blobs, app.parts.dataFolder, hash) }
  const shown = asJson ? jsonLines(write, bytes.file) : readableOn(write)
  let trouble: Trouble | null = null
  const refusals = countRefusals(flags.approve)
  const progress: Progress = {
    show(given) {
      const envelope = { ...given, event: eventInShellWords(given.event, config.provider) } as AnyEnvelope
      refusals.show(envelope.event)
      if (envelope.event.kind === 'ERROR') trouble = envelope.event.error
      if (envelope.event.kind === 'TURN_LIMIT') trouble = limitInShellWords(envelope.event)
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
        ...{ starter: app.starter, open: app.sessions.open, progress, signal },
        audience: asJson ? null : { write, bytes, width: widthOfOutput },
      })
    const pictures = await givenPictures(flags.images, createPictures(app.store.blobs))
    if (!pictures.ok) return wrongUse(pictures.failure)
    const created = await app.starter.start(cwd, config)
    if (!created.ok) return fail(created.failure, signal)
    const session = created.value
    const answers = { terminal: terminalFor(asJson), bytes }
    const state = await runTask({
      session,
      task: { text: flags.task, pictures: pictures.value },
      progress,
      answers,
      open: app.sessions.open,
      signal,
    })
    const unsaved = session.record.trouble()
    if (unsaved) return fail(inShellWords(unsaved, config.provider), signal)
    const why = endTrouble({ state, trouble, dataFolder: app.parts.dataFolder })
    if (why && asJson) fail(why, signal)
    const unsigned = refusals.words()
    if (unsigned !== null && !QUIET.has(signal.reason)) complainAfter(progress, unsigned)
    return exitCodeOf(state)
  } finally {
    progress.end()
  }
}

function wrongUse(words: string): number {
  complain(`${visibleLine(words)}\n`)
  return 2
}

/** What is being written to standard output ends its line first: both may go to the same terminal. */
function complainAfter(progress: Progress, words: string): void {
  progress.end()
  complain(words)
}

/** Only the agent's natural end counts as success (D-44). */
const exitCodeOf = ({ ended }: SessionState): number => (ended === 'completed' ? 0 : 1)

/** Whoever does not read our output any more knows why it ended; what kept it from being written has been said. */
const QUIET: ReadonlySet<unknown> = new Set<StopCause>(['reader_gone', 'output_failed'])

function fail(trouble: Trouble, signal: AbortSignal): number {
  if (!QUIET.has(signal.reason)) complain(sentences(trouble))
  return 1
}

const STOPPED_EARLY: Trouble = {
  code: 'stopped',
  what: 'The run was stopped before the task began.',
  kept: 'Everything is as it was; no session was made and no model was asked.',
  todo: 'Start it again.',
}

/** With the address that will be asked, so that the session goes on with the same one wherever it is opened; null: the usual one. */
function configOf({ models }: App, { provider, model, baseUrl, approve, effort }: RunFlags): SessionConfigured {
  const config = models.defaults({
    mode: modeOf(approve),
    ...(provider && { provider }),
    ...(model && { model }),
    ...(baseUrl && { baseUrl }),
    ...(effort && { effort }),
  })
  const address = config.baseUrl ?? models.facts().find((facts) => facts.provider === config.provider)?.baseUrl ?? null
  // An address of the environment that the provider refuses may hold a password: it is not written down, and the turn ends with the reason.
  const checked = address === null ? null : checkBaseUrl(config.provider, address)
  const used = checked?.ok ? checked.value : config.baseUrl
  return { ...config, baseUrl: used === providerEntry(config.provider).baseUrl ? null : used }
}

function readableOn(write: Write): Progress {
  const { stdout } = process
  const colour = stdout.isTTY && !process.env['NO_COLOR']
  return readable({ write, colour, width: widthOfOutput })
}

const widthOfOutput = (): number | null => (process.stdout.isTTY ? process.stdout.columns || null : null)

/** Questions never stand among JSON lines: they then go to standard error. Null: nobody can be asked (D-44). */
function terminalFor(asJson: boolean): PersonTerminal | null {
  const { stdin, stdout, stderr } = process
  if (!stdin.isTTY || !stdout.isTTY) return null
  const output = asJson ? stderr : stdout
  return output.isTTY ? { input: stdin, output, width: () => output.columns || null } : null
}
