import { Folder, Layers, Search, X } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type { OwnTerminal } from '../../../../shared/api/terminals.ts'
import { commandTerminalSource } from '../../../state/commands/command-terminal-source.ts'
import { focusWhenThere } from '../../../state/commands/focus-when-there.ts'
import { closeOwnTerminal, giveOutput, ownKeyboard, renameOwnTerminal } from '../../../state/commands/own-terminals.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { useFileLinks } from '../../../state/hooks/use-file-links.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Field } from '../../../ui/controls/field.tsx'
import { NameField } from '../../../ui/controls/name-field.tsx'
import { Icon } from '../../../ui/marks/icon.tsx'
import type { TerminalScreen } from '../../../ui/terminal/terminal-screen.ts'
import type { Sought } from '../../../ui/terminal/terminal-search.ts'
import { TerminalView } from '../../../ui/terminal/terminal-view.tsx'
import styles from './own-terminals.module.css'

/** Number of lines that are given to the agent if nothing is selected. */
const GIVEN_LINES = 200

export interface OwnTerminalViewProps {
  readonly terminal: OwnTerminal
  readonly isRenaming: boolean
  readonly onRenamed: () => void
}

/** One of the user's own terminals. It fills the height of its parent. */
export function OwnTerminalView({ terminal, isRenaming, onRenamed }: OwnTerminalViewProps): ReactNode {
  const desk = useDesk()
  const { sessionId, toolCallId, name, isInLayer, isUnconfined } = terminal
  const source = useMemo(() => commandTerminalSource(desk, sessionId, toolCallId), [desk, sessionId, toolCallId])
  const files = useFileLinks(sessionId)
  const [screen, setScreen] = useState<TerminalScreen | null>(null)
  const [isSearching, setSearching] = useState(false)
  return (
    <section className={styles.own} id={`own-${toolCallId}`} aria-label={`Your terminal ${name}`}>
      <div className={styles.head}>
        {isRenaming ? (
          <NameField
            label="Name of the terminal"
            name={name}
            whileEmpty={name}
            onDone={(typed) => {
              onRenamed()
              if (typed !== null) renameOwnTerminal(desk, sessionId, toolCallId, typed)
              focusWhenThere(ownKeyboard(toolCallId))
            }}
          />
        ) : (
          <strong className="clip">{name}</strong>
        )}
        <span className={styles.place}>
          <Icon glyph={isInLayer ? Layers : Folder} size={14} />
          {isInLayer ? `in this session’s layer${isUnconfined ? ', not confined to it' : ''}` : 'in the folder'}
        </span>
        <span className="push" />
        {isSearching ? (
          <SearchField
            screen={screen}
            onClose={() => {
              setSearching(false)
              focusWhenThere(ownKeyboard(toolCallId))
            }}
          />
        ) : (
          <Button variant="quiet" small only icon={Search} label={`Search ${name}`} onPress={() => setSearching(true)} />
        )}
        {!isSearching && (
          <Button
            variant="quiet"
            small
            tip="Adds the selected text, or the last lines, to the message"
            onPress={() => giveOutput(desk, sessionId, name, screen?.text(GIVEN_LINES) ?? '')}
          >
            Give to the agent
          </Button>
        )}
        <Button
          variant="quiet"
          small
          only
          icon={X}
          label={`Close ${name}`}
          tip="Stops the shell and everything that it started"
          onPress={() => closeOwnTerminal(desk, sessionId, toolCallId)}
        />
      </div>
      <div className={styles.screen}>
        <TerminalView
          label={`Your terminal ${name}`}
          source={source}
          fills
          files={files}
          onScreen={setScreen}
          onLink={(url) => void desk.connection.client?.app.openLink({ url })}
        />
      </div>
    </section>
  )
}

/** Searches the terminal from its end. Enter goes to the previous match, Shift+Enter to the next one. */
function SearchField({ screen, onClose }: { readonly screen: TerminalScreen | null; readonly onClose: () => void }): ReactNode {
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const [words, setWords] = useState('')
  const [sought, setSought] = useState<Sought | null>(null)
  useEffect(() => field.current?.focus(), [])
  const search = (next: string, by: 1 | -1 | null): void => setSought(next === '' ? null : (screen?.search(next, by) ?? null))
  return (
    <Field
      ref={field}
      className={styles.search}
      label="Search this terminal"
      type="search"
      icon={Search}
      value={words}
      whileEmpty="Search"
      end={<span className={styles.count}>{sought === null ? '' : `${sought.at} of ${sought.of}`}</span>}
      onChange={(next) => {
        setWords(next)
        search(next, null)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') search(words, event.shiftKey ? 1 : -1)
        else if (event.key === 'Escape') onClose()
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
    />
  )
}
