import type { CallItem } from '../../shared/session/state.ts'
import { runsCommand } from '../../shared/tools/catalogue.ts'
import { wasStopped } from '../ui/calls/call-mark.ts'
import { backgroundOf, longCommand, writtenOutput } from '../ui/calls/commands.ts'
import { applyPatchView } from './apply-patch.tsx'
import { askUserQuestionView } from './ask-user-question.tsx'
import { bashOutputView, killShellView } from './background.tsx'
import { deleteFileView } from './delete-file.tsx'
import { editFileView, multiEditView } from './edit-file.tsx'
import { exitPlanModeView } from './exit-plan-mode.tsx'
import { globView } from './glob.tsx'
import { grepView } from './grep.tsx'
import { listDirView } from './list-dir.tsx'
import { notebookEditView, notebookReadView } from './notebook.tsx'
import { readFileView, readManyFilesView } from './read-file.tsx'
import { readOutputView } from './read-output.tsx'
import { saveMemoryView } from './save-memory.tsx'
import { bashView, shellView } from './shell.tsx'
import { closeAgentView, sendInputView, spawnAgentView, taskView, waitView } from './subagents.tsx'
import { todoReadView, todoWriteView } from './todos.tsx'
import type { Folding, ToolView } from './view/tool-view.ts'
import { webFetchView } from './web-fetch.tsx'
import { webSearchView } from './web-search.tsx'
import { writeFileView } from './write-file.tsx'

const VIEWS: ReadonlyMap<string, ToolView> = new Map(
  [
    ...[applyPatchView, askUserQuestionView, bashOutputView, bashView, closeAgentView, deleteFileView, editFileView, exitPlanModeView],
    ...[globView, grepView, killShellView, listDirView, multiEditView, notebookEditView, notebookReadView, readFileView, readManyFilesView],
    ...[readOutputView, saveMemoryView, sendInputView, shellView, spawnAgentView, taskView, todoReadView, todoWriteView, waitView],
    ...[webFetchView, webSearchView, writeFileView],
  ].map((view) => [view.spec.name, view]),
)

/** How a call is shown. A tool that is not built in has no view: its calls are shown by their name, output and effects. */
export function viewOf({ toolName }: Pick<CallItem, 'toolName'>): Omit<ToolView, 'spec'> {
  return VIEWS.get(toolName) ?? {}
}

/** What a call came to, in a few words; empty while it runs. */
export function outcomeOf(call: CallItem): string {
  if (call.status === 'refused') return 'refused'
  if (call.status === 'barred') return 'blocked'
  if (call.status === 'interrupted') return 'interrupted, outcome unknown'
  if (call.status === 'stopped' && call.startedAt === null) return 'not run: stopped by you'
  if (wasStopped(call)) return 'stopped by you'
  if (call.status === 'waiting') return 'waits for you'
  if (call.endedAt === null) return ''
  return viewOf(call).outcome?.(call) ?? (call.isError ? 'failed' : '')
}

const writesFiles = ({ effects }: CallItem): boolean => effects.some(({ kind }) => kind === 'write' || kind === 'delete')

/** What lies under the line of a call, and whether it can be folded. */
export function foldingOf(call: CallItem): Folding {
  switch (call.status) {
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
  if (runsCommand(call)) return writtenOutput(call) === '' && longCommand(call) === null ? 'none' : call.isError ? 'open' : 'closed'
  if (call.isError) return call.output === '' ? 'none' : 'fixed'
  const { folding } = viewOf(call)
  if (folding) return folding(call)
  return writesFiles(call) || call.output !== '' ? 'closed' : 'none'
}

/** What unfolding shows, for the name of the button. */
export function unfoldsOf(call: CallItem): string {
  if (runsCommand(call)) return writtenOutput(call) === '' ? 'the whole command' : 'the output'
  return writesFiles(call) ? 'what changed' : (viewOf(call).unfolds ?? 'the result')
}
