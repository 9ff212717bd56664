import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../ui/controls/button.tsx'
import { EntryRow } from '../ui/ledger/entry-row.tsx'
import { Ledger } from '../ui/ledger/ledger.tsx'
import { MiddlePath } from '../ui/text/middle-path.tsx'
import { Quote, Well } from '../ui/text/well.tsx'
import { Dot } from '../ui/marks/dot.tsx'
import { Icon } from '../ui/marks/icon.tsx'
import styles from './gallery.module.css'

const at = (minute: number, second: number): number => new Date(2026, 10, 21, 14, minute, second).getTime()

/** A sample turn that looks like the one in the design mockups. */
export function DeskLedger({ live }: { readonly live: boolean }): ReactNode {
  return (
    <Ledger label="Ledger of March invoices">
      <EntryRow
        shape="turn"
        mark="you"
        at={at(2, 7)}
        line={
          <p>
            Customers west of Greenwich see invoices dated 1 March booked in February. Find out why, and fix it with a test that fails
            first.
          </p>
        }
      />
      <EntryRow
        mark="read"
        number={1}
        at={at(2, 9)}
        line={
          <>
            <span className="verb">Read 6 files</span>
            <span className="soft clip">parse-date.ts, parse-date.test.ts, calendar.ts, period.ts and 2 more</span>
            <Icon glyph={ChevronRight} />
          </>
        }
        effect="0.2 s"
      />
      <EntryRow
        mark="read"
        number={2}
        at={at(2, 12)}
        line={
          <>
            <span className="verb">Search</span>
            <span className="path">new Date\(</span>
            <span className="soft">in src</span>
          </>
        }
        effect={
          <>
            <span>11 in 4 files</span>
            <span>22 ms</span>
          </>
        }
      >
        <Well
          foot={
            <>
              <span>8 more in 1 file</span>
              <Button variant="quiet" small>
                Show all
              </Button>
            </>
          }
        >
          <ul className={styles.hits}>
            <li>
              <span className="clip">dates/parse-date.ts:17</span>
              <span className="clip">const d = new Date(text)</span>
            </li>
            <li>
              <span className="clip">invoices/period.ts:23</span>
              <span className="clip">const issued = new Date(invoice.issuedOn)</span>
            </li>
          </ul>
        </Well>
      </EntryRow>
      <EntryRow shape="prose" mark="note">
        <p>
          A day without a time is read as midnight UTC and then taken apart with local getters, so west of Greenwich it falls on the day
          before. <code>period.ts</code> is where invoices are booked.
        </p>
      </EntryRow>
      <Step
        mark="signed"
        number={3}
        time={at(2, 31)}
        verb="Plan"
        path=""
        rest="Read calendar days without a time zone, 4 of 5 steps"
        effect="signed 14:02:58"
      />
      <Step mark="rule" number={4} time={at(3, 22)} verb="Run" path="TZ=America/New_York npx jest src/dates" effect="3.1 s" />
      <EntryRow mark="refused" number={5} at={at(3, 39)} line={<Words verb="Run" path="npm install date-fns" />} effect="refused">
        <Quote>No new dependency. The platform is enough for a calendar day.</Quote>
      </EntryRow>
      <Step mark="undone" number={6} time={at(3, 58)} verb="Edit" path="src/import/csv.ts" effect="undone 14:04:20, later work kept" />
      {live && (
        <EntryRow
          mark="rule"
          number={7}
          at={at(5, 16)}
          line={<Words verb="Run" path="npx jest" />}
          effect={
            <>
              <Dot state="running" />
              <span className="num">0:07</span>
            </>
          }
        >
          <Well
            text={
              'PASS src/invoices/period.test.ts\nPASS src/invoices/total.test.ts (1.204 s)\nRUNS src/invoices/dunning.test.ts\nTests: 84 passed, 84 total'
            }
            foot={
              <>
                <span>5 of 31 suites</span>
                <Button variant="quiet" small>
                  Stop command
                </Button>
                <Button variant="quiet" small>
                  Open in Terminal
                </Button>
              </>
            }
          />
        </EntryRow>
      )}
    </Ledger>
  )
}

function Words({ verb, path, rest }: { readonly verb: string; readonly path: string; readonly rest?: string | undefined }): ReactNode {
  return (
    <>
      <span className="verb">{verb}</span>
      {path !== '' && <MiddlePath path={path} className="path" />}
      {rest !== undefined && <span className="soft clip">{rest}</span>}
    </>
  )
}

interface StepProps {
  readonly mark: 'signed' | 'rule' | 'undone'
  readonly number: number
  readonly time: number
  readonly verb: string
  readonly path: string
  readonly rest?: string
  readonly effect: string
}

function Step({ mark, number, time, verb, path, rest, effect }: StepProps): ReactNode {
  return (
    <EntryRow
      mark={mark}
      number={number}
      at={time}
      line={<Words verb={verb} path={path} rest={rest} />}
      effect={effect}
      actions={
        <Button variant="quiet" small>
          Undo this step
        </Button>
      }
    />
  )
}
