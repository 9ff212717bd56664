import type { SlashCommandFacts } from '../../../shared/api/workspace.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { compactSession, showSession, showSettings, undoCompaction } from '../../state/commands/actions.ts'
import { report } from '../../state/commands/attempt-request.ts'
import { paletteCommands } from '../../state/commands/palette-commands.ts'
import type { Desk } from '../../state/desk.ts'
import { type DeskCommand, deskSlashCommands } from '../../state/slash/desk-slash-commands.ts'
import { nameOf } from '../../state/stores/session-list.ts'
import { SECTION_LIST } from '../../ui/settings-sections.ts'

export interface Choice {
  readonly id: string
  readonly group: string
  readonly words: string
  readonly aside?: string
  readonly keys?: string | undefined
  /** Set if main found this choice for the typed text. The choice is then listed even if its words do not match the text. */
  readonly found?: true
  readonly run: () => void
  /** The action of Shift+Enter. If absent, Shift+Enter does the same as Enter. */
  readonly otherwise?: () => void
}

/** Number of sessions that are listed before the commands. */
const MAX_RECENT = 4

/** All choices that are known without asking main, in list order. */
export function choicesOf(desk: Desk): readonly Choice[] {
  const { sessionId } = desk.view.getState()
  const commands = paletteCommands(desk)
    .filter(({ id }) => id !== 'palette')
    .map(({ id, group, words, keys, run }) => ({ id, group, words, keys, run }))
  const isNew = ({ id }: Pick<Choice, 'id'>): boolean => id === 'new'
  const own = commands.filter((one) => one.group === 'This session' && !isNew(one))
  const others = commands.filter((one) => one.group !== 'This session' && !isNew(one))
  const conversation = sessionId === null ? [] : conversationChoices(desk, sessionId)
  const sessions = sessionChoices(desk)
  const recent = sessions.filter(({ id }) => id !== sessionId).slice(0, MAX_RECENT)
  const begin = [...recent, ...commands.filter(isNew)].map((one) => ({ ...one, group: 'Recent' }))
  return [...begin, ...own, ...conversation, ...others, ...settingsChoices(desk), ...sessions.filter((one) => !recent.includes(one))]
}

/** Commands for which each argument is listed as a separate choice. Modes and sessions are already in the list. */
const ARGUMENTS: Readonly<Record<string, string>> = { model: 'Model', effort: 'Effort', course: 'Plan first:' }

function conversationChoices(desk: Desk, sessionId: SessionId): readonly Choice[] {
  const commands = deskSlashCommands(desk, sessionId)
  const own = (id: string, words: string, run: () => void): Choice => ({ id, group: 'This session', words, run })
  const fork = commands.find(({ name }) => name === 'fork')
  const { session } = desk.session(sessionId).store.getState()
  return [
    own('compact', 'Compact the conversation', () => void report(desk, compactSession(desk, sessionId))),
    ...(session && session.compactions.length > 0
      ? [own('undo-compaction', 'Undo the newest compaction', () => undoCompaction(desk, sessionId))]
      : []),
    ...(fork ? [own('fork', 'Fork this session', () => void fork.run(''))] : []),
    ...commands.flatMap(({ name, choices }) => {
      const label = ARGUMENTS[name]
      if (label === undefined) return []
      return choices.map(({ value, about, words = value, run }) => ({
        ...own(`${name}:${value}`, `${label} ${words}`, run),
        ...(about && { aside: about }),
      }))
    }),
    ...commands.filter(({ hint }) => hint !== '').map((command) => deskSlashChoice(desk, sessionId, command)),
  ]
}

function settingsChoices(desk: Desk): readonly Choice[] {
  return SECTION_LIST.map(({ id, title }) => ({
    id,
    group: 'Settings',
    words: title,
    aside: 'settings',
    run: () => showSettings(desk, id),
  }))
}

function sessionChoices(desk: Desk): readonly Choice[] {
  return [...desk.list.getState().sessions.values()]
    .filter(({ parent }) => parent === null)
    .toSorted((a, b) => b.updatedAt - a.updatedAt)
    .map((one) => ({
      id: one.sessionId,
      group: 'Sessions',
      words: one.title || 'New session',
      aside: nameOf(one.folder),
      run: () => showSession(desk, one.sessionId),
    }))
}

/** Choosing a command that accepts arguments inserts the command before the draft, so that the draft becomes its arguments. */
export function slashChoice(desk: Desk, sessionId: SessionId, { name, description, hint }: SlashCommandFacts): Choice {
  return {
    id: `slash:${name}`,
    group: 'Slash commands',
    words: hint === '' ? `/${name}` : `/${name} ${hint}`,
    aside: description,
    run: () => writeBefore(desk, sessionId, `/${name} `),
  }
}

function deskSlashChoice(desk: Desk, sessionId: SessionId, { name, about, hint }: DeskCommand): Choice {
  return {
    id: `slash:${name}`,
    group: 'Slash commands',
    words: `/${name} ${hint}`,
    aside: about,
    run: () => writeBefore(desk, sessionId, `/${name} `),
  }
}

/** Inserts text before the draft message of the current session, and focuses the message field. */
function writeBefore(desk: Desk, sessionId: SessionId, text: string): void {
  desk.view.setState({ page: 'desk' })
  desk.drafts.set(sessionId, `${text}${desk.drafts.get(sessionId)}`)
  document.querySelector<HTMLElement>('[data-composer-text]')?.focus()
}

/** A file of the session's folder: Enter opens it in the editor, Shift+Enter mentions it in the message. */
export function fileChoice(desk: Desk, sessionId: SessionId, path: string, open: () => void): Choice {
  const mention = (): void => {
    const draft = desk.drafts.get(sessionId)
    desk.view.setState({ page: 'desk' })
    desk.drafts.set(sessionId, `${draft}${draft === '' || /\s$/u.test(draft) ? '' : ' '}@${path} `)
    document.querySelector<HTMLElement>('[data-composer-text]')?.focus()
  }
  const isFolder = path.endsWith('/')
  return { id: `file:${path}`, group: 'Files', words: path, found: true, run: isFolder ? mention : open, otherwise: mention }
}
