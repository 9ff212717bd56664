import { configureSession } from '../../../state/commands/actions.ts'
import { commandsOf } from '../../../state/commands/commands.ts'
import type { Desk } from '../../../state/desk.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { APPROVAL_MODES } from '../../../../shared/session/settings/approval-mode.ts'
import { courseOptions } from '../../../ui/session-options.ts'
import type { Course } from '../../../../shared/workflow/course.ts'
import type { CompletionOption } from './completing.ts'

/** Slash commands that the desk carries out itself, by the id of the command that they run. */
const NAMES: Readonly<Record<string, { readonly name: string; readonly about: string }>> = {
  new: { name: 'new', about: 'Start a new session in this folder' },
  resume: { name: 'resume', about: 'Resume the turn that ended early' },
  stop: { name: 'stop', about: 'Stop this turn' },
  rename: { name: 'rename', about: 'Rename this session' },
  changes: { name: 'changes', about: 'Show what this session changed' },
  review: { name: 'diff', about: 'Show all changes as a full review' },
  undo: { name: 'undo', about: 'Preview undoing the newest step that changed files' },
  'roll-back': { name: 'rollback', about: 'Preview undoing all changes since your last message' },
  context: { name: 'context', about: 'Show what fills the context window, and what it costs' },
  agents: { name: 'agents', about: 'Show the subagents' },
  terminal: { name: 'terminal', about: 'Show the terminal' },
  history: { name: 'search', about: 'Search all sessions' },
  settings: { name: 'settings', about: 'Open the settings' },
  palette: { name: 'commands', about: 'List all commands and sessions' },
  keys: { name: 'help', about: 'Show all keys' },
}

/** Those that can run now, with one for each approval mode. */
export function deskCommands(desk: Desk, sessionId: SessionId): readonly CompletionOption[] {
  const own = commandsOf(desk).flatMap(({ id, run }) => {
    const named = NAMES[id]
    return named ? [option(named.name, named.about, run)] : []
  })
  const modes = APPROVAL_MODES.map((mode) =>
    option(mode === 'plan' ? 'plan' : `mode-${mode}`, `Work in mode ${mode}`, () => configureSession(desk, sessionId, { mode })),
  )
  const courses = courseOptions().map(({ id, hint = '' }) =>
    option(COURSE_NAMES[id], hint, () => configureSession(desk, sessionId, { course: id })),
  )
  return [...own, ...modes, ...courses]
}

/** `/review` is a command of its own. */
const COURSE_NAMES: Readonly<Record<Course, string>> = {
  plain: 'no-plan',
  plan: 'plan-first',
  'test-first': 'test-first',
  review: 'staged-review',
}

const option = (name: string, about: string, run: () => void): CompletionOption => ({
  ...{ id: `desk:${name}`, words: `/${name}`, about, origin: '', text: null, run },
})
