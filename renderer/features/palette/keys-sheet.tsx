import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { showKeys } from '../../state/commands/actions.ts'
import { paletteCommands, inspecting } from '../../state/commands/palette-commands.ts'
import { useDesk } from '../../state/desk-context.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Overlay } from '../../ui/frame/dialogs/overlay.tsx'
import { useKeyHint } from '../../ui/marks/key-labels.ts'
import styles from './palette.module.css'

interface Line {
  readonly words: string
  readonly keys: readonly string[]
}

/** Keys that work only while the focus is in the tray. */
const TRAY: readonly Line[] = [
  { words: 'Sign (hold for destructive requests)', keys: ['Mod+Enter'] },
  { words: 'Refuse', keys: ['Mod+Del'] },
]
const COMPOSER: readonly Line[] = [
  { words: 'Send, or steer the agent now', keys: ['Enter'] },
  { words: 'Queue for after this turn', keys: ['Alt+Enter'] },
  { words: 'New line', keys: ['Shift+Enter'] },
  { words: 'Earlier messages', keys: ['Up'] },
  { words: 'Add a picture or file from the clipboard', keys: ['Mod+V'] },
]
const TURN: readonly Line[] = [{ words: 'Stop this turn', keys: ['Esc Esc'] }]
const PANES: readonly Line[] = [{ words: 'Next pane, previous pane', keys: ['F6', 'Shift+F6'] }]
const REVIEW: readonly Line[] = [
  { words: 'Next, previous hunk', keys: ['J', 'K'] },
  { words: 'Next, previous file', keys: ['Shift+J', 'Shift+K'] },
  { words: 'Seen, or not', keys: ['Space'] },
  { words: 'Comment on the hunk or the selected lines', keys: ['C'] },
  { words: 'Who wrote the hunk or the selected lines', keys: ['B'] },
  { words: 'The whole file with each line’s author, or what changed', keys: ['W'] },
  { words: 'Stage or unstage the hunk, the file', keys: ['S', 'Shift+S'] },
  { words: 'Back to the desk', keys: ['Esc'] },
]

/** All keys. The list comes from the same table that runs the commands. */
export function KeysSheet(): ReactNode {
  const desk = useDesk()
  const close = (): void => desk.view.setState({ overlay: null })
  const { sessionId } = desk.view.getState()
  const now = paletteCommands(desk)
  // The keys of the inspector are shown even without an open session, because this sheet is for learning the keys.
  const all = sessionId === null ? [...now, ...inspecting(desk)] : now
  const commands = all.flatMap(({ id, group, words, keys }) => (keys === undefined ? [] : [{ id, group, words, keys: [keys] }]))
  return (
    <Overlay label="Keys" focus="self" onClose={close} className={styles.sheet}>
      <header className={styles.head}>
        <h2 className="strong">Keys</h2>
        <Button variant="quiet" small className="push" onPress={() => showKeys(desk)}>
          Change keys
        </Button>
        <Button variant="quiet" only icon={X} label="Close" keys="Esc" onPress={close} />
      </header>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keys */}
      <div className={styles.columns} tabIndex={0} role="group" aria-label="All keys">
        <Table title="Desk" lines={[...commands.filter(({ group }) => group === 'Desk'), ...PANES]} />
        <Table
          title={sessionId === null ? 'In a session' : 'This session'}
          lines={[...TURN, ...commands.filter(({ group, id }) => group === 'This session' && id !== 'stop')]}
        />
        <Table title="In the tray, but not while you type" lines={TRAY} />
        <Table title="In the composer" lines={COMPOSER} />
        <Table title="In a review" lines={REVIEW} />
      </div>
    </Overlay>
  )
}

function Table({ title, lines }: { readonly title: string; readonly lines: readonly Line[] }): ReactNode {
  const hint = useKeyHint()
  const shown = lines.filter(({ keys }) => keys.some((defaultKey) => hint(defaultKey) !== ''))
  if (shown.length === 0) return null
  return (
    <section className={styles.table}>
      <h3>{title}</h3>
      <dl>
        {shown.map(({ words, keys }) => (
          <div key={words} className={styles.keyRow}>
            <dt>{words}</dt>
            <dd>
              <kbd>{keys.map(hint).join(', ')}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
