import { EXPORT_FORMATS } from '../../../shared/api/transfer.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { SessionConfigured, Trouble } from '../../../shared/session/events.ts'
import { APPROVAL_MODES } from '../../../shared/session/settings/approval-mode.ts'
import { COURSE_NAMES } from '../../../shared/workflow/workflow.ts'
import { modelOptions } from '../../ui/model-options.ts'
import { courseOptions, effortOptions } from '../../ui/session-options.ts'
import { compactSession, configureSession, renameSession, resumeTurn, searchSessions, showSession, showTab } from '../commands/actions.ts'
import { attemptRequest } from '../commands/attempt-request.ts'
import { paletteCommands } from '../commands/palette-commands.ts'
import { forkSession } from '../commands/conversation-actions.ts'
import { saveExport } from '../commands/session-actions.ts'
import type { Desk } from '../desk.ts'

/**
 * How a command ended. `more`: it needs an argument. `say`: it was executed, and this text is sent to the agent. `Trouble`: the reason why
 * it was not executed.
 */
export type CommandEnd = 'done' | 'more' | { readonly say: string } | Trouble

interface ArgumentChoice {
  readonly value: string
  readonly about: string
  /** The words for the value in a list. If absent, they are the value itself. */
  readonly words?: string
  readonly run: () => void
}

/** A slash command that the desk runs itself. */
export interface DeskCommand {
  /** Without the slash. */
  readonly name: string
  readonly about: string
  /** A description of the argument, such as `[instructions]`. Empty if the command accepts none. */
  readonly hint: string
  /** Arguments to choose from. */
  readonly choices: readonly ArgumentChoice[]
  /** `args` is trimmed and may be empty. */
  readonly run: (args: string) => CommandEnd | Promise<CommandEnd>
}

/** Slash commands without arguments, keyed by the id of the desk command that they run. */
const PLAIN: Readonly<Record<string, { readonly name: string; readonly about: string }>> = {
  new: { name: 'new', about: 'Start a new session in this folder' },
  stop: { name: 'stop', about: 'Stop this turn' },
  changes: { name: 'changes', about: 'Show what this session changed' },
  review: { name: 'diff', about: 'Show all changes as a full review' },
  undo: { name: 'undo', about: 'Preview undoing the newest step that changed files' },
  'roll-back': { name: 'rollback', about: 'Preview undoing all changes since your last message' },
  context: { name: 'context', about: 'Show what fills the context window' },
  agents: { name: 'agents', about: 'Show the subagents' },
  terminal: { name: 'terminal', about: 'Show the terminal' },
  settings: { name: 'settings', about: 'Open the settings' },
  palette: { name: 'commands', about: 'List all commands and sessions' },
  keys: { name: 'help', about: 'Show all keys' },
}

/** The commands that can run now. */
export function deskSlashCommands(desk: Desk, sessionId: SessionId): readonly DeskCommand[] {
  const plain = paletteCommands(desk).flatMap(({ id, run }) => {
    const named = PLAIN[id]
    return named ? [without(named.name, named.about, run)] : []
  })
  return [...conversationCommands(desk, sessionId), ...configuring(desk, sessionId), ...plain]
}

function conversationCommands(desk: Desk, sessionId: SessionId): readonly DeskCommand[] {
  const { sessions } = desk.list.getState()
  const others = [...sessions.values()]
    .filter(({ parent, sessionId: id, title }) => parent === null && id !== sessionId && title !== '')
    .toSorted((a, b) => b.updatedAt - a.updatedAt)
    .map(({ sessionId: id, title, folder }) => ({ value: title, about: folder, run: () => showSession(desk, id) }))
  const summary = sessions.get(sessionId)
  return [
    {
      name: 'compact',
      about: 'Replace older messages with a summary for the model',
      hint: '[what to keep]',
      choices: [],
      run: async (args) => (await compactSession(desk, sessionId, args)) ?? 'done',
    },
    choosing({ name: 'resume', about: 'Resume the turn that ended early, or open a session', hint: '[session]' }, others, () =>
      resumeTurn(desk, sessionId),
    ),
    {
      name: 'rename',
      about: 'Name this session',
      hint: '[name]',
      choices: [],
      run(args) {
        if (args === '') desk.view.setState({ page: 'desk', renaming: true })
        else renameSession(desk, sessionId, args)
        return 'done'
      },
    },
    {
      name: 'search',
      about: 'Search all sessions',
      hint: '[words]',
      choices: [],
      run(args) {
        searchSessions(desk, args)
        return 'done'
      },
    },
    without('fork', 'Continue in a new session with a copy of this conversation', () =>
      forkSession(desk, sessionId, { kind: 'after', seq: Math.max(1, summary?.cursor ?? 1) }),
    ),
    choosing(
      { name: 'export', about: 'Save this session as a file', hint: '[format]' },
      EXPORT_FORMATS.map((format) => ({ value: format, about: '', run: () => saveExport(desk, sessionId, format) })),
      () => saveExport(desk, sessionId, 'markdown'),
    ),
    without('cost', 'Show what this session cost', () => showTab(desk, 'context')),
  ]
}

function configuring(desk: Desk, sessionId: SessionId): readonly DeskCommand[] {
  const config = desk.list.getState().sessions.get(sessionId)?.config
  const providers = desk.settings.getState().settings?.providers ?? []
  const facts = providers.find(({ provider }) => provider === config?.provider)?.models.find(({ model }) => model === config?.model)
  const choice = (value: string, about: string, change: Partial<SessionConfigured>): ArgumentChoice => ({
    value,
    about,
    run: () => configureSession(desk, sessionId, change),
  })
  const efforts = effortOptions(facts?.efforts).map(({ id, hint = '' }) => choice(id, hint, { effort: id === 'default' ? null : id }))
  const courses = courseOptions().map(({ id, label, hint = '' }) => ({ ...choice(id, hint, { course: id }), words: label }))
  const models = config ? modelOptions(config, providers, []).options : []
  return [
    choosing(
      { name: 'model', about: 'Choose the model', hint: '<model>' },
      models.map(({ label, hint = '', asks }) => choice(label, hint, asks)),
    ),
    choosing({ name: 'effort', about: 'Choose how much the model thinks', hint: '<effort>' }, efforts),
    choosing(
      { name: 'mode', about: 'Choose what runs without a signature', hint: '<mode>' },
      APPROVAL_MODES.map((mode) => choice(mode, '', { mode })),
    ),
    choosing({ name: 'course', about: 'Choose how requests are handled', hint: '<course>' }, courses),
    thenAsking(desk, sessionId, { name: 'plan', about: 'Work in plan mode' }, { mode: 'plan' }),
    ...courseOptions().map(({ id, hint = '' }) => thenAsking(desk, sessionId, { name: COURSE_NAMES[id], about: hint }, { course: id })),
  ]
}

/** A command that changes a setting and then sends the words after it as a request. */
function thenAsking(
  desk: Desk,
  sessionId: SessionId,
  facts: Pick<DeskCommand, 'name' | 'about'>,
  change: Partial<SessionConfigured>,
): DeskCommand {
  return {
    ...facts,
    hint: '[request]',
    choices: [],
    async run(args) {
      const failed = await attemptRequest(desk, 'The session was not changed', (client) =>
        client.sessions.configure({ sessionId, ...change }),
      )
      return failed ?? (args === '' ? 'done' : { say: args })
    },
  }
}

const without = (name: string, about: string, run: () => void): DeskCommand => ({
  name,
  about,
  hint: '',
  choices: [],
  run(args) {
    if (args !== '') return noArgument(name)
    run()
    return 'done'
  },
})

/**
 * A command with an argument. `alone` is what the command does without an argument. If `alone` is left out, the command needs an argument.
 */
function choosing(
  facts: Pick<DeskCommand, 'name' | 'about' | 'hint'>,
  choices: readonly ArgumentChoice[],
  alone?: () => void,
): DeskCommand {
  return {
    ...facts,
    choices,
    run(args) {
      const chosen = args === '' ? undefined : choices.find(({ value }) => value.toLowerCase() === args.toLowerCase())
      const run = args === '' ? alone : chosen?.run
      if (!run) return args === '' ? 'more' : noSuchChoice(facts.name, args, choices)
      run()
      return 'done'
    },
  }
}

const KEPT = 'Your message is kept, and everything else is unchanged.'

const noArgument = (name: string): Trouble => ({
  code: 'no_argument',
  what: `/${name} takes no argument.`,
  kept: KEPT,
  todo: `Send /${name} alone, or begin the message with another word.`,
})

/** Maximum number of choices that an error lists. */
const MAX_NAMED = 8

const noSuchChoice = (name: string, args: string, choices: readonly ArgumentChoice[]): Trouble => ({
  code: 'no_such_choice',
  what: `/${name} has no option “${args}”.`,
  kept: KEPT,
  todo:
    choices.length === 0
      ? `Send /${name} alone.`
      : `Choose one of: ${choices
          .slice(0, MAX_NAMED)
          .map(({ value }) => value)
          .join(', ')}.`,
})
