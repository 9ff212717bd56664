import { Search } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import { runKey } from '../../state/commands/key-combinations.ts'
import { useDesk } from '../../state/desk-context.ts'
import type { Desk } from '../../state/desk.ts'
import { usePersonKeys } from '../../state/hooks/use-desk-keys.ts'
import { byUse } from '../../state/stores/used-choices.ts'
import { counted } from '../../ui/format.ts'
import { Overlay } from '../../ui/frame/dialogs/overlay.tsx'
import { indexAfterKey, vertical } from '../../ui/arrow-keys.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { Kbd } from '../../ui/marks/kbd.tsx'
import { keyboardPlatform } from '../../ui/marks/key-labels.ts'
import { isComposing } from '../../ui/is-composing.ts'
import { type Choice, choicesOf } from './palette-choices.ts'
import { matchingChoices } from './matching-choices.ts'
import styles from './palette.module.css'
import { useFileChoices, useHistoryChoices, useSlashChoices } from './use-found-choices.ts'

/** Maximum number of listed sessions. Typing more letters finds other sessions. */
const MAX_SESSIONS = 20

/**
 * Finds commands, settings, sessions and search hits as the user types. Pressing the palette's shortcut again switches between commands and
 * files. The focus stays in the field. Arrow keys move the selection, and Enter runs it.
 */
export function Palette(): ReactNode {
  const desk = useDesk()
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const id = useId()
  const [isOfFiles, setOfFiles] = useState(false)
  const own = usePersonKeys(desk)
  const slash = useSlashChoices()
  const files = useFileChoices(typed, isOfFiles)
  const history = useHistoryChoices(isOfFiles ? '' : typed)
  const all = useMemo(() => [...choicesOf(desk), ...slash], [desk, slash])
  const fit = useMemo(() => limited(matchingChoices(ranked(desk, all), typed)), [desk, all, typed])
  const choices = isOfFiles ? files : [...fit, ...history]
  const label = isOfFiles ? 'Find a file' : 'Find a command or a session'
  const close = (): void => desk.view.setState({ overlay: null })

  const take = (choice: Choice | undefined, isOther = false): void => {
    if (choice) run(desk, choice, isOther, close)
  }
  const move = (to: number): void => {
    setActive(to)
    document.getElementById(`${id}-${to}`)?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event.nativeEvent)) return
    const again = { keys: 'Mod+K', run: () => (setOfFiles(!isOfFiles), setActive(0)) }
    runKey(event.nativeEvent, [again], keyboardPlatform() === 'mac', own)
    if (event.nativeEvent.defaultPrevented) return
    // Home and End are left to the field, where they move the caret.
    const to = event.key.startsWith('Arrow') ? indexAfterKey(event.key, vertical, active, choices.length) : null
    if (event.key === 'Enter') take(choices[active], event.shiftKey)
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
          aria-label={label}
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={choices.length > 0 ? `${id}-${active}` : undefined}
          // The placeholder repeats the label, because no text above the field names it.
          placeholder={label}
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
      <Foot found={choices.length} all={isOfFiles ? null : all.length} />
    </Overlay>
  )
}

/** Runs a choice. `isOther` is true for Shift+Enter. */
function run(desk: Desk, choice: Choice, isOther: boolean, close: () => void): void {
  if (!choice.found) desk.used.use(keyOf(choice))
  // The palette is closed first, because everything else is inert while it is open, and because the command may move the focus.
  flushSync(close)
  const { otherwise = choice.run } = choice
  if (isOther) otherwise()
  else choice.run()
}

/**
 * The number of matching choices, and what the palette's shortcut would switch to. `all` is the number of commands and sessions. Null if
 * files are listed.
 */
function Foot({ found, all }: { readonly found: number; readonly all: number | null }): ReactNode {
  return (
    <div className={styles.foot}>
      <span role="status">{counts(found, all)}</span>
      <span className="push">
        {all === null ? 'Enter opens it, Shift Enter mentions it in the message. ' : ''}
        <Kbd keys="Mod+K" /> again: {all === null ? 'commands' : 'files'}
      </span>
    </div>
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

/** Shows the words, with the first occurrence of the typed text in bold. */
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

/** `all` is the number of commands and sessions. Null if files are listed. */
function counts(listed: number, all: number | null): string {
  if (listed === 0) return 'No matches. Try fewer letters.'
  if (all === null) return counted(listed, 'file')
  return listed === all ? counted(all, 'command or session', 'commands and sessions') : `${listed} of ${all} commands and sessions`
}

const keyOf = ({ id }: Choice): string => `palette:${id}`

/** Sorts the choices within a group: those that were used before come first. */
function ranked(desk: Desk, choices: readonly Choice[]): readonly Choice[] {
  const groups = [...new Set(choices.map(({ group }) => group))]
  return groups.flatMap((group) =>
    byUse(
      choices.filter((choice) => choice.group === group).map((choice) => ({ ...choice, used: keyOf(choice) })),
      desk.used,
    ),
  )
}

function limited(choices: readonly Choice[]): readonly Choice[] {
  let sessions = 0
  return choices.filter((choice) => choice.group !== 'Sessions' || ++sessions <= MAX_SESSIONS)
}
