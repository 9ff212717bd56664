import { type ReactNode, useCallback, useLayoutEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { Trouble } from '../../../shared/session/events.ts'
import { chooseFolder, startRehearsal } from '../../state/commands/actions.ts'
import { report } from '../../state/commands/attempt-request.ts'
import { useDesk } from '../../state/desk-context.ts'
import { runKey } from '../../state/commands/key-combinations.ts'
import { useLocalServers } from '../../state/hooks/use-local-servers.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Pane, PaneScroll } from '../../ui/frame/panes/pane.tsx'
import { Kbd } from '../../ui/marks/kbd.tsx'
import { Mark, type MarkKind } from '../../ui/marks/mark.tsx'
import { ErrorNotice } from '../../ui/notices/error-notice.tsx'
import { AddKey } from './add-key.tsx'
import styles from './first-run.module.css'
import { LocalServerOption } from './local-server-option.tsx'
import { MachineSection } from './machine-section.tsx'
import { StartOption } from './start-option.tsx'

/** What a newcomer needs besides the trust question: a way to get a model, the legend of the marks, and what this computer has. */
export function FirstRunBesideFolder(): ReactNode {
  const servers = useLocalServers().found ?? []
  return (
    <section className={styles.beside}>
      <h2 className="label">Before the first session</h2>
      <ul className={styles.plainWays}>
        {servers.map((server) => (
          <LocalServerOption key={server.baseUrl} server={server} />
        ))}
        <AddKey />
      </ul>
      <MarksLegend />
      <MachineSection />
    </section>
  )
}

/** The page before the first session: the ways to start and a legend of the marks. `notices` are errors to show. */
export function FirstRun({ notices }: { readonly notices: ReactNode }): ReactNode {
  const desk = useDesk()
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const unreadable = useStore(desk.list, (list) => list.unreadable)
  const [isStarting, setStarting] = useState(false)
  const servers = useLocalServers().found ?? []
  const hasKey = useStore(desk.settings, ({ settings }) => settings?.providers.some(({ key }) => key === 'set') ?? false)
  const rehearse = useCallback(async (): Promise<void> => {
    setStarting(true)
    setTrouble(await startRehearsal(desk))
    setStarting(false)
  }, [desk])
  // A layout effect runs before the first frame is painted, so no key press after that frame is missed.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (desk.view.getState().overlay === null) runKey(event, [{ keys: 'R', run: () => void rehearse() }], false)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [desk, rehearse])
  return (
    <Pane kind="work" label="Start">
      <PaneScroll label="Ways to start">
        <div className={styles.page}>
          <header className={styles.head}>
            <Mark kind="signed" silent className={styles.logo} />
            <h1 className="doc-title">Countersign</h1>
            <p className="soft">The agent proposes changes. Nothing is applied until you sign it.</p>
          </header>
          {unreadable && (
            <div className={styles.unreadable} role="alert">
              <ErrorNotice framed happened={unreadable.what} kept={unreadable.kept} todo={unreadable.todo} />
            </div>
          )}
          <ul className={styles.ways}>
            <StartOption
              title={
                <>
                  Rehearse on a sample project <Kbd keys="R" />
                </>
              }
              words="A scripted agent fixes a failing test and asks you to sign. It needs no key and no network, takes a few minutes, and works on a temporary copy."
              isPreferred={!hasKey}
              action={
                <Button variant={hasKey ? 'plain' : 'preferred'} busy={isStarting} busyWord="Starting" onPress={() => void rehearse()}>
                  Start rehearsal
                </Button>
              }
            />
            <StartOption
              title={
                <>
                  Open a folder <Kbd keys="Mod+O" />
                </>
              }
              words="Nothing in the folder is run or loaded until you trust it."
              isPreferred={hasKey}
              action={
                <Button variant={hasKey ? 'preferred' : 'plain'} onPress={() => void report(desk, chooseFolder(desk))}>
                  Open a folder
                </Button>
              }
            />
            {servers.map((server) => (
              <LocalServerOption key={server.baseUrl} server={server} />
            ))}
            <AddKey />
          </ul>
          {trouble && (
            <div className={styles.trouble}>
              <ErrorNotice framed happened={trouble.what} kept={trouble.kept} todo={trouble.todo} />
            </div>
          )}
          <div className={styles.trouble}>{notices}</div>
          <MarksLegend />
          <MachineSection />
        </div>
      </PaneScroll>
    </Pane>
  )
}

const LEGEND: readonly { readonly mark: MarkKind; readonly word: string; readonly means: string }[] = [
  { mark: 'read', word: 'Read or searched', means: 'changes nothing and needs no signature' },
  { mark: 'pending', word: 'Proposed', means: 'one line by the agent; the dotted one is for your signature' },
  { mark: 'signed', word: 'Signed by you', means: 'the second line is your signature' },
  { mark: 'rule', word: 'Allowed', means: 'allowed without a signature by the mode you chose' },
  { mark: 'refused', word: 'Refused', means: 'you refused, so it was not done' },
]

function MarksLegend(): ReactNode {
  return (
    <section className={styles.legend}>
      <h2 className="label">How to read the marks</h2>
      <ul>
        {LEGEND.map(({ mark, word, means }) => (
          <li key={mark} className={styles.legendRow}>
            <Mark kind={mark} silent className={styles.legendMark} />
            <span>{word}</span>
            <span className="soft">{means}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
