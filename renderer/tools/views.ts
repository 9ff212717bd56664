import { appliedGit } from '../ui/calls/call-words.ts'
import { beganAt, isInCopy } from '../../shared/session/fold/run-state.ts'
import type { CallItem } from '../../shared/session/state.ts'
import { ALL_TOOLS, runsCommand } from '../../shared/tools/catalogue.ts'
import { NO_DETAILS, type ToolSpec } from '../../shared/tools/spec/tool-spec.ts'
import { WriteDetails } from '../../shared/tools/built-in/write-file.ts'
import { wasStopped } from '../ui/calls/call-mark.ts'
import { backgroundOf, commandOutcome, longCommand, writtenOutput } from '../ui/calls/command-words.ts'
import { askUserQuestionView } from './ask-user-question.tsx'
import { bashOutputView, killShellView } from './background-commands.tsx'
import { globView } from './glob.tsx'
import { grepView } from './grep.tsx'
import { listDirView } from './list-dir.tsx'
import { readFileView, readManyFilesView } from './read-file.tsx'
import { todoReadView, todoWriteView } from './todos.tsx'
import { OutputNote } from './view/call-output.tsx'
import type { Folding, ToolView } from './view/tool-view.ts'
import { webFetchView, webSearchView } from './web.tsx'

/** The tools that are shown differently from what their specs say. */
const OWN_VIEWS: ReadonlyMap<string, ToolView> = new Map(
  [
    askUserQuestionView,
    bashOutputView,
    globView,
    grepView,
    killShellView,
    listDirView,
    readFileView,
    readManyFilesView,
    todoReadView,
    todoWriteView,
    webFetchView,
    webSearchView,
  ].map((view) => [view.spec.name, view]),
)

type View = Omit<ToolView, 'spec'>

const VIEWS: ReadonlyMap<string, View> = new Map(
  ALL_TOOLS.map((spec) => [spec.name, { ...defaultView(spec), ...OWN_VIEWS.get(spec.name) }]),
)

/** The view that follows from a tool's spec. */
function defaultView({ details, reads, runsCommand: runs, verb }: ToolSpec): View {
  if (runs !== undefined) return { outcome: commandOutcome }
  // The difference can be unfolded, unless nothing was changed.
  if (details === WriteDetails) return { folding: ({ effects }) => (effects.length > 0 ? 'closed' : 'none') }
  // A tool that stores no details about its action has an output of one or two sentences.
  if (details === NO_DETAILS && reads === undefined) return { Body: OutputNote }
  return verb === 'Read' ? { unfolds: 'what was read' } : {}
}

/** How a call is shown. A tool that is not built in has no view. Its calls show their name, output and effects. */
export function viewOf({ toolName }: Pick<CallItem, 'toolName'>): View {
  return VIEWS.get(toolName) ?? {}
}

/** The result of a call in a few words. Empty while it runs. */
export function outcomeOf(call: CallItem): string {
  if (call.status === 'refused') return 'refused'
  if (call.status === 'barred') return 'blocked'
  if (call.status === 'interrupted') return 'interrupted, outcome unknown'
  if (call.status === 'stopped' && beganAt(call) === null) return 'not run: stopped by you'
  if (wasStopped(call)) return 'stopped by you'
  if (call.status === 'waiting') return 'waits for you'
  if (call.endedAt === null) return ''
  return viewOf(call).outcome?.(call) ?? (call.isError ? 'failed' : '')
}

const writesFiles = ({ effects }: CallItem): boolean => effects.some(({ kind }) => kind === 'write' || kind === 'delete')

/** Returns whether there is content below the line of a call, and whether it can be folded. */
export function foldingOf(call: CallItem): Folding {
  const { status } = call
  switch (status === 'waiting' && isInCopy(call) ? 'running' : status) {
    case 'running':
      return call.tail || longCommand(call) !== null ? 'fixed' : 'none'
    case 'preparing':
    case 'waiting':
    case 'signed':
    case 'refused':
      return longCommand(call) === null ? 'none' : 'closed'
    case 'barred':
    case 'interrupted':
    case 'stopped':
      return call.output === '' ? 'none' : 'fixed'
    case 'done':
    case 'failed':
      return endedFolding(call)
  }
}

function endedFolding(call: CallItem): Folding {
  if (backgroundOf(call) !== null) return 'fixed'
  const isBare = writtenOutput(call) === '' && longCommand(call) === null && appliedGit(call) === null
  if (runsCommand(call)) return isBare ? 'none' : call.isError ? 'open' : 'closed'
  if (call.isError) return call.output === '' ? 'none' : 'fixed'
  const { folding } = viewOf(call)
  if (folding) return folding(call)
  if (call.pictures) return 'open'
  return writesFiles(call) || call.output !== '' ? 'closed' : 'none'
}

/** Name of the unfolded content, for the label of the button. */
export function unfoldsOf(call: CallItem): string {
  if (runsCommand(call)) return writtenOutput(call) === '' ? 'the whole command' : 'the output'
  return writesFiles(call) ? 'what changed' : (viewOf(call).unfolds ?? 'the result')
}
