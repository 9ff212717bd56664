import type { ReactNode } from 'react'
import { Button } from '../ui/controls/button.tsx'
import { HoldButton } from '../ui/controls/signing/hold-button.tsx'
import { SignButton } from '../ui/controls/signing/sign-button.tsx'
import { useHold } from '../ui/hooks/use-hold.ts'
import { ListRow } from '../ui/frame/list-row.tsx'
import { Axis } from '../ui/ledger/ledger.tsx'
import { CommandParts } from '../ui/calls/command-parts.tsx'
import { FileRow } from '../ui/ledger/file-row.tsx'
import { HunkBar } from '../ui/ledger/hunk-bar.tsx'
import { TrayFrame } from '../ui/ledger/tray-frame.tsx'
import { Dot } from '../ui/marks/dot.tsx'
import { EmptyState } from '../ui/notices/empty-state.tsx'
import { Facts } from '../ui/notices/facts.tsx'
import { ErrorNotice } from '../ui/notices/error-notice.tsx'
import styles from './gallery.module.css'
import { Section, State } from './section.tsx'

const nothing = (): void => {}

/** Trays, errors, rows and empty states. */
export function NeedsYou({ theme }: { readonly theme: string }): ReactNode {
  return (
    <>
      <Section title="What needs you">
        <Axis tight>
          <div className={styles.box}>
            <EditTray theme={theme} />
          </div>
          <div className={styles.box}>
            <CommandTray theme={theme} />
          </div>
          <div className={styles.box}>
            <FailedTray theme={theme} />
          </div>
        </Axis>
      </Section>
      <Section title="Rows, errors, empty places">
        <div className={styles.grid}>
          <State note="session rows" wide>
            <div className={styles.list}>
              <ListRow
                lead={<Dot state="needs" />}
                title="March invoices land in February"
                below="Edit, 3 hunks in 2 files"
                selected
                unread
                onPress={nothing}
              />
              <ListRow lead={<Dot state="running" />} title="Dunning letters in Polish" end="41" onPress={nothing} />
              <ListRow lead={<Dot state="unread" />} title="VAT on credit notes" end="2 h" unread onPress={nothing} />
              <ListRow title="Index for the ledger export, a name that is too long" end="Mon" onPress={nothing} />
              <ListRow lead={<Dot state="failed" />} title="Photos by EXIF date" end="12 Nov" onPress={nothing} />
            </div>
          </State>
          <State note="empty" wide>
            <EmptyState action={<Button>Open a folder</Button>}>
              No sessions yet. The first one appears here when you open a folder.
            </EmptyState>
          </State>
        </div>
        <ErrorNotice
          framed
          happened="No byte since 14:06:06, and the limit of 45 s is reached. The line is still open."
          kept="Everything that arrived, 31 words, is kept. No call was open, and no file was being written."
          todo="Resume, for about $0.02 while the cache is warm."
          actions={
            <>
              <Button variant="quiet">Stop here</Button>
              <span className="push" />
              <Button>Wait 45 s more</Button>
              <Button variant="preferred">Resume</Button>
            </>
          }
        />
      </Section>
    </>
  )
}

function EditTray({ theme }: { readonly theme: string }): ReactNode {
  return (
    <TrayFrame
      number={9}
      mark="pending"
      title={`Edit 1 file, ${theme}`}
      aside="asked by review-dates, 1 of 3"
      answerKeys="Mod+J"
      foot={
        <>
          <Button variant="quiet" keys="Mod+Del">
            Refuse
          </Button>
          <Button variant="quiet">Refuse with a note</Button>
          <SignButton className="push" phase={{ kind: 'ready' }} armed keys="Mod+Enter" onSign={nothing}>
            Sign 1 of 3 hunks
          </SignButton>
        </>
      }
    >
      <FileRow path="src/dates/parse-date.ts" added={8} removed={5} />
      <HunkBar
        where="14–20"
        mark="proposed"
        current
        what={
          <>
            <code>parseDay</code> <span className="dim">undecided, current</span>
          </>
        }
        actions={
          <>
            <Button small keys="A">
              Keep
            </Button>
            <Button small variant="quiet" keys="R">
              Refuse
            </Button>
            <Button small variant="quiet" keys="E">
              Edit
            </Button>
          </>
        }
      />
      <HunkBar
        where="31–33"
        mark="signed"
        markWord="Kept"
        what={
          <>
            <code>isLeap</code> <span className="dim">kept</span>
          </>
        }
        actions={
          <Button small variant="quiet">
            Show
          </Button>
        }
      />
      <HunkBar
        where="40–41"
        mark="refused"
        markWord="Refused"
        what={
          <>
            <code>export</code> refused
          </>
        }
        actions={
          <Button small variant="quiet">
            Take back
          </Button>
        }
      />
    </TrayFrame>
  )
}

function CommandTray({ theme }: { readonly theme: string }): ReactNode {
  const hold = useHold({ armed: true, onHeld: nothing })
  return (
    <TrayFrame
      number={10}
      mark="pending"
      title={`Run a command that deletes files, ${theme}`}
      headEnd="asked 31 s ago"
      foot={
        <>
          <Button variant="quiet">Refuse</Button>
          <span className="push" />
          <Button>Keep the copy’s result</Button>
          <HoldButton hold={hold}>Hold to sign and run</HoldButton>
        </>
      }
    >
      <CommandParts
        parts={[
          { text: 'rm -rf dist coverage', note: 'deletes, always asks' },
          { operator: '&&', text: 'npm run build -- --mode=\u202Egnigats', note: 'no rule yet' },
        ]}
      />
      <Facts
        place="tray"
        facts={[
          { term: 'Runs in', fact: <code>~/code/invoicing</code> },
          { term: 'May touch', fact: 'dist/ 38 files, coverage/ 176 files, and what build writes. Both folders are ignored by git.' },
          { term: 'Network', fact: 'none (sandbox)' },
        ]}
      />
    </TrayFrame>
  )
}

function FailedTray({ theme }: { readonly theme: string }): ReactNode {
  return (
    <TrayFrame
      tone="error"
      number={9}
      mark="failed"
      title={`Not written, ${theme}`}
      aside="parse-date.ts changed while you read"
      headEnd={<Button small>Look again</Button>}
    />
  )
}
