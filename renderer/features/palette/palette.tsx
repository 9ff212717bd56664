import { Search } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import { showSession } from '../../state/commands/actions.ts'
import { commandsOf } from '../../state/commands/commands.ts'
import { useDesk } from '../../state/desk-context.ts'
import type { Desk } from '../../state/desk.ts'
import type { SlashCommandFacts } from '../../../shared/api/workspace.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { nameOf } from '../../state/stores/session-list.ts'
import { counted } from '../../ui/format.ts'
import { Overlay } from '../../ui/frame/overlay.tsx'
import { rove, vertical } from '../../ui/hooks/roving.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { Kbd } from '../../ui/marks/kbd.tsx'
import { fitting } from './fitting.ts'
import styles from './palette.module.css'

interface Choice {
  readonly id: string
  readonly group: string
  readonly words: string
  readonly aside?: string
  readonly keys?: string | undefined
  readonly run: () => void
}

/** Maximum number of listed sessions; typing more letters finds others. */
const MAX_SESSIONS = 20

/** All commands and sessions, found by typing. The focus stays in the field; arrow keys move, Enter runs. */
export function Palette(): ReactNode {
  const desk = useDesk()
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const id = useId()
  const slash = useSlashChoices(desk)
  const all = useMemo(() => [...choicesOf(desk), ...slash], [desk, slash])
  const choices = useMemo(() => limited(fitting(all, typed)), [all, typed])
  const close = (): void => desk.view.setState({ overlay: null })

  const take = (choice: Choice | undefined): void => {
    if (!choice) return
    // close first: while the palette is open everything else is inert, and the command may move the focus
    flushSync(close)
    choice.run()
  }
  const move = (to: number): void => {
    setActive(to)
    document.getElementById(`${id}-${to}`)?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    // Home and End belong to the text
    const to = event.key.startsWith('Arrow') ? rove(event.key, vertical, active, choices.length) : null
    if (event.key === 'Enter') take(choices[active])
    else if (to === null) return
    else move(to)
    event.preventDefault()
  }
  return (
    <Overlay label="Commands" onClose={close} className={styles.palette}>
      <div className={styles.search}>
        <Icon glyph={Search} />
        <input
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- asked for by its own key, and nothing else can be done with it
          autoFocus
          role="combobox"
          aria-label="Find a command or a session"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={choices.length > 0 ? `${id}-${active}` : undefined}
          // repeats the label, since nothing is written above the field
          placeholder="Find a command or a session"
          spellCheck={false}
          autoComplete="off"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setActive(0)
          }}
          onKeyDown={onKeyDown}
        />
        <Kbd keys="Esc" />
      </div>
      <ul id={`${id}-list`} className={styles.list} role="listbox" aria-label="Commands">
        {choices.map((choice, at) => (
          <ChoiceRow
            key={choice.id}
            id={`${id}-${at}`}
            choice={choice}
            typed={typed}
            heads={choice.group !== choices[at - 1]?.group}
            active={at === active}
            onEnter={() => setActive(at)}
            onTake={() => take(choice)}
          />
        ))}
      </ul>
      <div className={styles.foot} role="status">
        {choices.length === 0
          ? 'No matches. Try fewer letters.'
          : choices.length === all.length
            ? `${counted(all.length, 'command or session', 'commands and sessions')}`
            : `${choices.length} of ${all.length} commands and sessions`}
      </div>
    </Overlay>
  )
}

interface ChoiceRowProps {
  readonly id: string
  readonly choice: Choice
  readonly typed: string
  readonly heads: boolean
  readonly active: boolean
  readonly onEnter: () => void
  readonly onTake: () => void
}

function ChoiceRow({ id, choice, typed, heads, active, onEnter, onTake }: ChoiceRowProps): ReactNode {
  return (
    <>
      {heads && (
        <li className={styles.group} role="presentation">
          {choice.group}
        </li>
      )}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- focus and keys stay in the field, which names the active line */}
      <li
        id={id}
        role="option"
        aria-selected={active}
        className={active ? `${styles.choice} ${styles.active}` : styles.choice}
        onPointerMove={onEnter}
        onMouseDown={(event) => event.preventDefault()}
        onClick={onTake}
      >
        <span className={styles.words}>
          <Found words={choice.words} typed={typed} />
          {choice.aside !== undefined && <span className="soft"> {choice.aside}</span>}
        </span>
        {active ? <Kbd keys="Enter" /> : choice.keys !== undefined && <Kbd keys={choice.keys} />}
      </li>
    </>
  )
}

/** Sets the typed text in bold where it occurs in one piece. */
function Found({ words, typed }: { readonly words: string; readonly typed: string }): ReactNode {
  const at = typed.trim() === '' ? -1 : words.toLocaleLowerCase().indexOf(typed.trim().toLocaleLowerCase())
  if (at === -1) return words
  const end = at + typed.trim().length
  return (
    <>
      {words.slice(0, at)}
      <b className="strong">{words.slice(at, end)}</b>
      {words.slice(end)}
    </>
  )
}

function choicesOf(desk: Desk): readonly Choice[] {
  const commands = commandsOf(desk)
    .filter(({ id }) => id !== 'palette')
    .map(({ id, group, words, keys, run }) => ({ id, group, words, keys, run }))
  const sessions = [...desk.list.getState().sessions.values()]
    .filter(({ parent }) => parent === null)
    .toSorted((a, b) => b.cursor - a.cursor)
    .map((one) => ({
      id: one.sessionId,
      group: 'Sessions',
      words: one.title || 'New session',
      aside: nameOf(one.folder),
      run: () => showSession(desk, one.sessionId),
    }))
  return [...commands, ...sessions]
}

const NO_CHOICES: readonly Choice[] = []

/** The slash commands and skills of the current session's folder; choosing one writes it before the draft, which becomes its arguments. */
function useSlashChoices(desk: Desk): readonly Choice[] {
  const [choices, setChoices] = useState(NO_CHOICES)
  useEffect(() => {
    const { sessionId } = desk.view.getState()
    const folder = sessionId === null ? undefined : desk.list.getState().sessions.get(sessionId)?.folder
    const { client } = desk.connection
    if (sessionId === null || folder === undefined || !client) return undefined
    let isCurrent = true
    void client.workspace.commands({ folder }).then(
      ({ commands }) => isCurrent && setChoices(commands.map((command) => slashChoice(desk, sessionId, command))),
      () => {},
    )
    return () => {
      isCurrent = false
    }
  }, [desk])
  return choices
}

function slashChoice(desk: Desk, sessionId: SessionId, { name, description, hint }: SlashCommandFacts): Choice {
  return {
    id: `slash:${name}`,
    group: 'Slash commands',
    words: hint === '' ? `/${name}` : `/${name} ${hint}`,
    aside: description,
    run() {
      desk.view.setState({ page: 'desk' })
      desk.drafts.set(sessionId, `/${name} ${desk.drafts.get(sessionId)}`)
      document.querySelector<HTMLElement>('[data-composer-text]')?.focus()
    },
  }
}

function limited(choices: readonly Choice[]): readonly Choice[] {
  let sessions = 0
  return choices.filter((choice) => choice.group !== 'Sessions' || ++sessions <= MAX_SESSIONS)
}
