import { agentWork } from '../../../shared/agents/agent-work.ts'
import { limitTrouble } from '../../../shared/session/limit-trouble.ts'
import type { Effect } from '../../../shared/session/effects.ts'
import type { SessionEvent, Trouble } from '../../../shared/session/events.ts'
import { type GitChange, gitSentences, isGitRecord, shortHash } from '../../../shared/session/git-change.ts'
import { lineOf } from '../../../shared/tools/catalogue.ts'
import { ShellDetails } from '../../../shared/tools/built-in/shell.ts'
import { lineText } from '../../../shared/tools/spec/call-line.ts'
import { FOREIGN, type Margin } from './escaped-rows.ts'
import { visibleLine } from './visible-text.ts'

/** Colors Countersign's own marks. `code` is an ANSI color. */
export type Paint = (code: number, text: string) => string
/** A string is Countersign's own text. An object contains text with parts that may be untrusted. */
export type Line = string | { readonly margin: Margin; readonly text: string }

const DIM = 2
const RED = 31
const GREEN = 32
const BLUE = 34
const AMBER = 33

/** A line after one of Countersign's marks. If it is too long for the row, it continues like untrusted text. */
const behind = (mark: string, text: string): Line => ({ margin: { ...FOREIGN, first: mark }, text: visibleLine(text) })
/** A line that continues the one above. */
export const below = (text: string): Line => behind('   ', text)

/** The lines for an event, except the agent's own text. */
export function linesOf(event: SessionEvent, paint: Paint): readonly Line[] {
  switch (event.kind) {
    case 'TOOL_CALL_START':
      return [behind(`${paint(DIM, '/')}  `, lineText(lineOf(event)))]
    case 'APPROVAL_REQUESTED':
      return [behind(`${paint(AMBER, '/:')} `, event.reason)]
    case 'APPROVAL_ANSWERED':
      if (event.answer.kind === 'signed') return [`${paint(BLUE, '//')} Signed`]
      if (event.answer.kind === 'withdrawn') return []
      return [behind(`${paint(BLUE, '/-')} `, event.answer.note ? `Refused: ${event.answer.note}` : 'Refused')]
    case 'COPY_STARTED':
      return [below('In a copy of the folder.')]
    case 'COPY_ENDED':
      return copyLines(event)
    case 'COPY_FAILED':
      return [below(event.reason === null ? 'The command would run for real.' : `The command does not run in a copy: ${event.reason}`)]
    case 'TOOL_EXECUTION_START':
      return realLines(event.effects)
    case 'TOOL_CALL_END':
      return [outcomeLine(event, paint), ...beginning(event.output), ...lostLines(event)]
    case 'ERROR':
      return trouble(`${paint(RED, 'x')}  `, event.error)
    case 'WARNING':
      return trouble(`${paint(AMBER, '!')}  `, event.trouble)
    case 'TURN_LIMIT':
      return [below(limitTrouble(event).what)]
    case 'LOOP_DETECTION':
      return [below(event.message)]
    case 'RETRY_SCHEDULED':
      return [below(`${event.why} Next try at ${new Date(event.atMs).toLocaleTimeString('en-GB')}.`)]
    case 'PROCESSING_END':
      return event.reason === 'stopped' ? [event.withdrawn ? '   Withdrawn.' : '   Stopped.'] : []
    default:
      return []
  }
}

/** The lines about what a command did in its copy, if it did more than print. */
function copyLines({
  effects,
  changeSet,
  blocked,
  leftOut,
  dropped,
  notes = [],
  git,
}: Extract<SessionEvent, { kind: 'COPY_ENDED' }>): readonly Line[] {
  const isRecord = (effect: Effect): boolean => git !== undefined && 'shown' in effect && isGitRecord(effect.shown)
  const changes = effects.filter((effect) => effect.kind !== 'command' && !isRecord(effect)).length
  return [
    ...(changeSet === null || (git && changes === 0) ? [] : [`${whoMade(effects)} ${changes === 1 ? '1 change' : `${changes} changes`}.`]),
    ...(git ? gitLines(git) : []),
    ...agentLines(effects),
    ...(blocked.length > 0 ? [`The command could not reach ${blocked.join(', ')}: there is no network in a copy.`] : []),
    ...(leftOut.length > 0 ? [`Never applied: ${leftOut.join(', ')}.`] : []),
    ...notes,
    ...(dropped === null ? [] : [`Its changes were not kept. ${dropped}`]),
  ].map(below)
}

/** The beginning of a sentence about changes that wait for a signature. */
function whoMade(effects: readonly Effect[]): string {
  const command = effects.find((effect) => effect.kind === 'command')
  if (command?.broughtFrom) return 'In its layer, the session made'
  return command?.subagent ? 'In its layer, the subagent made' : 'In its copy, the command made'
}

/** What a third-party agent did besides the changes that are brought in. */
function agentLines(effects: readonly Effect[]): readonly string[] {
  const turns = effects.flatMap((effect) => (effect.kind === 'command' ? (effect.broughtFrom?.agent?.turns ?? []) : []))
  const { commands, others, hosts } = agentWork(turns, MAX_COMMANDS)
  return [
    ...commands.map((command) => `It ran: ${command.split('\n', 1)[0]}`),
    ...(others > 0 ? [`It ran ${others} more commands, listed in its session.`] : []),
    ...(hosts === '' ? [] : [`It asked for ${hosts}.`]),
  ]
}

/** Maximum number of commands of an agent that are listed. */
const MAX_COMMANDS = 20

function gitLines(git: GitChange): readonly string[] {
  const named = (files: GitChange['staged']): string => files.map(({ path }) => path).join(', ')
  return [
    ...gitSentences(git),
    ...git.commits.map(({ hash, subject }) => `Commit ${shortHash(hash)} ${subject}`),
    ...git.lost.map(({ hash, subject }) => `No longer on any branch or tag: ${shortHash(hash)} ${subject}`),
    ...(git.staged.length > 0 ? [`Staged: ${named(git.staged)}.`] : []),
    ...(git.unstaged.length > 0 ? [`No longer staged: ${named(git.unstaged)}.`] : []),
  ]
}

/** The lines about a command that does not run in a copy. */
function realLines(effects: readonly Effect[]): readonly Line[] {
  const command = effects.find(({ kind }) => kind === 'command')
  if (command?.kind !== 'command' || command.sandbox === 'copy') return []
  if (command.sandbox === 'layer') return [below('In the session’s layer: writes nowhere else, and reaches only hosts that are allowed.')]
  return [
    below(
      command.sandbox === 'confined'
        ? 'Confined: writes only in the folder, and reaches only hosts that rules allow.'
        : 'For real, with all your rights.',
    ),
  ]
}

/** Returns the lines with the reason why a command's changes in its copy were lost. */
function lostLines({ details }: Extract<SessionEvent, { kind: 'TOOL_CALL_END' }>): readonly Line[] {
  const { notApplied } = ShellDetails.safeParse(details).data ?? {}
  return notApplied === undefined ? [] : [below(notApplied)]
}

/** How a call ended, and how long it took. */
export function outcomeLine({ isError, outcome, durationMs }: Extract<SessionEvent, { kind: 'TOOL_CALL_END' }>, paint: Paint): Line {
  return `   ${paint(isError ? RED : GREEN, outcome === 'barred' ? 'blocked' : outcome)} ${paint(DIM, seconds(durationMs))}`.trimEnd()
}

function trouble(mark: string, { what, kept, todo }: Trouble): readonly Line[] {
  return [behind(mark, what), below(kept), below(todo)]
}

const MAX_SHOWN_LINES = 12

function beginning(output: string): readonly Line[] {
  const all = output.trimEnd().split('\n')
  if (all.length === 1 && all[0] === '') return []
  const shown = all.length > MAX_SHOWN_LINES ? all.slice(0, MAX_SHOWN_LINES - 1) : all
  const rest = all.length - shown.length
  return [{ margin: FOREIGN, text: shown.join('\n') }, ...(rest > 0 ? [`   … ${rest} more lines`] : [])]
}

function seconds(ms: number | null): string {
  if (ms === null) return ''
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}
