import type { ReactNode } from 'react'
import { Button } from '../ui/controls/button.tsx'
import { SignButton } from '../ui/controls/signing/sign-button.tsx'
import { FileRow } from '../ui/ledger/file-row.tsx'
import { HunkBar } from '../ui/ledger/hunk-bar.tsx'
import { TrayFrame } from '../ui/ledger/tray-frame.tsx'

const nothing = (): void => {}

/** An edit that waits for the user. */
export function DeskTray(): ReactNode {
  return (
    <TrayFrame
      number={7}
      mark="pending"
      title="Edit 3 hunks in 2 files"
      aside="for plan step 2"
      headEnd={
        <Button variant="quiet" small>
          Open in Changes
        </Button>
      }
      answerKeys="Mod+J"
      foot={
        <>
          <Button variant="quiet" keys="Mod+Del">
            Refuse
          </Button>
          <Button variant="quiet">Refuse with a note</Button>
          <SignButton className="push" phase={{ kind: 'ready' }} keys="Mod+Enter" onSign={nothing}>
            Sign 2 of 3 hunks
          </SignButton>
        </>
      }
    >
      <FileRow path="src/dates/parse-date.ts" added={8} removed={5} />
      <HunkBar
        where="3–5"
        mark="signed"
        markWord="Kept"
        what="Import daysInMonth, add ISO_DAY kept"
        actions={
          <Button small variant="quiet">
            Show
          </Button>
        }
      />
      <HunkBar
        where="14–20"
        mark="proposed"
        current
        what="parseDay 2 of 3"
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
      <FileRow path="src/invoices/period.ts" added={2} removed={2} />
      <HunkBar
        where="22–25"
        mark="signed"
        markWord="Kept"
        what="periodOf your version"
        actions={
          <Button small variant="quiet">
            Show what was proposed
          </Button>
        }
      />
    </TrayFrame>
  )
}
