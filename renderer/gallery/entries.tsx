import { ChevronDown, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../ui/controls/button.tsx'
import { Axis, Ledger } from '../ui/ledger/ledger.tsx'
import { EntryRow } from '../ui/ledger/entry-row.tsx'
import { MiddlePath } from '../ui/text/middle-path.tsx'
import { Quote, Well } from '../ui/text/well.tsx'
import { Dot } from '../ui/marks/dot.tsx'
import { Icon } from '../ui/marks/icon.tsx'
import styles from './gallery.module.css'
import { Section } from './section.tsx'

const at = (minute: number, second: number): number => new Date(2026, 10, 21, 14, minute, second).getTime()

function Act({ verb, path, rest }: { readonly verb: string; readonly path?: string; readonly rest?: string }): ReactNode {
  return (
    <>
      <span className="verb">{verb}</span>
      {path !== undefined && <MiddlePath path={path} className="path" />}
      {rest !== undefined && <span className="soft clip">{rest}</span>}
    </>
  )
}

/** Every kind of line that the ledger can contain. */
export function Entries({ theme }: { readonly theme: string }): ReactNode {
  return (
    <Section title="Entries of the ledger">
      <Axis tight>
        <div className={styles.box}>
          <Ledger label={`Entries, ${theme}`}>
            <EntryRow shape="turn" mark="you" at={at(2, 7)} line={<p>Your message is the heading of a turn.</p>} />
            <EntryRow
              mark="note"
              at={at(2, 8)}
              line={
                <>
                  <span className="soft">Thought for 6 s</span>
                  <Icon glyph={ChevronRight} />
                </>
              }
            />
            <EntryRow
              mark="read"
              number={1}
              at={at(2, 9)}
              line={
                <>
                  <span className="verb">Read 6 files</span>
                  <Icon glyph={ChevronDown} />
                </>
              }
              effect="0.2 s"
            >
              <ul>
                <li>
                  <span className="path">src/dates/parse-date.ts</span> <span className="dim">1–48</span>
                </li>
                <li>
                  <span className="path">src/invoices/period.ts</span> <span className="dim">1–31</span>
                </li>
              </ul>
            </EntryRow>
            <EntryRow
              ref={(row) => row?.setAttribute('data-force', 'hover')}
              mark="signed"
              markWord="Signed 14:03:09"
              number={2}
              at={at(3, 5)}
              line={<Act verb="Edit" path="parse-date.test.ts" rest="hover shows" />}
              effect={
                <>
                  <span className="add">+18</span>
                  <span className="del">−0</span>
                </>
              }
              actions={
                <>
                  <Button variant="quiet" small>
                    Undo this step
                  </Button>
                  <Button variant="quiet" small>
                    Diff
                  </Button>
                </>
              }
            />
            <EntryRow
              mark="rule"
              number={3}
              at={at(3, 22)}
              line={<Act verb="Run" path="npx jest src/dates" />}
              effect={
                <>
                  <span className="fail">exit 1</span>
                  <span>3.1 s</span>
                </>
              }
            />
            <EntryRow mark="refused" number={4} at={at(3, 39)} line={<Act verb="Run" path="npm install date-fns" />} effect="refused">
              <Quote>Your note to the agent.</Quote>
            </EntryRow>
            <EntryRow
              mark="blocked"
              number={5}
              at={at(3, 44)}
              line={<Act verb="Run" path="curl https://example.org" />}
              effect="blocked by policy"
            />
            <EntryRow
              mark="undone"
              drawn
              number={6}
              at={at(3, 58)}
              line={<Act verb="Edit" path="src/import/csv.ts" />}
              effect="undone 14:04:20"
            />
            <EntryRow
              mark="you"
              number={7}
              at={at(4, 31)}
              line={<Act verb="You, while it worked" rest="keep the error text" />}
              effect="read at step 8"
            />
            <EntryRow
              mark="proposed"
              number={8}
              at={at(4, 40)}
              line={<Act verb="Run" path="npx jest" />}
              effect={
                <>
                  <Dot state="running" />
                  <span className="num">0:07</span>
                </>
              }
            >
              <Well
                text={'PASS src/invoices/period.test.ts\nRUNS src/invoices/dunning.test.ts'}
                foot={
                  <>
                    <span>5 of 31 suites</span>
                    <Button variant="quiet" small>
                      Stop command
                    </Button>
                  </>
                }
              />
            </EntryRow>
            <EntryRow
              mark="failed"
              selected
              number={9}
              at={at(5, 44)}
              line={<Act verb="Run" path="npm run build" rest="interrupted by a restart, outcome unknown" />}
            />
            <EntryRow shape="prose" mark="note">
              <p>
                A day without a time is read as midnight UTC and then taken apart with local getters, so west of Greenwich it falls on the
                day before. <code>period.ts</code> is where invoices are booked.
              </p>
            </EntryRow>
            <EntryRow
              mark="note"
              at={at(6, 51)}
              line={<Act verb="Turn done" rest="2 files changed, 1 new, 4 min 44 s, $0.19" />}
              actions={
                <>
                  <Button variant="quiet" small>
                    Undo turn
                  </Button>
                  <Button variant="quiet" small>
                    Review
                  </Button>
                </>
              }
            />
          </Ledger>
        </div>
      </Axis>
    </Section>
  )
}
