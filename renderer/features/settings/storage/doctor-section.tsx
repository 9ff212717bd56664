import { type ReactNode, useState } from 'react'
import { useStore } from 'zustand'
import { type DoctorReport, type Finding, isDamage } from '../../../../shared/api/doctor.ts'
import { attemptRequest, report as reported } from '../../../state/commands/attempt-request.ts'
import { showSession } from '../../../state/commands/actions.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { byteSize, calendarDay, clockTime, counted, duration } from '../../../ui/format.ts'
import { ErrorNotice } from '../../../ui/notices/error-notice.tsx'
import { Facts } from '../../../ui/notices/facts.tsx'
import { SettingLine, SettingSection } from '../setting-section.tsx'
import { SECTIONS } from '../../../ui/settings-sections.ts'
import styles from '../settings.module.css'

/** The last check of everything that is stored: what the check read, what it found, and what can be repaired. */
export function DoctorSection(): ReactNode {
  const desk = useDesk()
  const state = useStore(desk.doctor, ({ doctor }) => doctor)
  const [isAsked, setIsAsked] = useState(false)
  const run = async (repair: boolean): Promise<void> => {
    setIsAsked(true)
    const running = attemptRequest(desk, 'The check was not started', async (client) => {
      await client.doctor.run({ repair })
      return { ok: true }
    })
    await reported(desk, running)
    setIsAsked(false)
  }
  const isBusy = isAsked || (state?.running ?? null) !== null
  const report = state?.report ?? null
  const isRepairable = report?.findings.some((finding) => finding.isRepairable) === true
  return (
    <SettingSection
      section={SECTIONS.doctor}
      lede="Reads every session, every stored content and the search index, and compares them with each other. It runs automatically after each update and after a crash, while you work. A check changes nothing."
    >
      {state?.trouble && <ErrorNotice framed happened={state.trouble.what} kept={state.trouble.kept} todo={state.trouble.todo} />}
      {report === null ? <p className="soft">Nothing has been checked yet.</p> : <Read report={report} />}
      <SettingLine
        title="Check"
        words={state?.running ? `${state.running.read.toLocaleString('en-US')} events and contents read so far.` : undefined}
      >
        <Button small busy={isBusy} busyWord="Checking" onPress={() => void run(false)}>
          Check now
        </Button>
      </SettingLine>
      {isRepairable && (
        <SettingLine
          title="Repair"
          words="Rebuilds the list and the search index from the log. Damaged events go to a file in the data folder, and a warning takes their place in the session."
        >
          <Button small disabledReason={isBusy ? 'A check is running' : null} onPress={() => void run(true)}>
            Repair
          </Button>
        </SettingLine>
      )}
      {report && <Found report={report} />}
    </SettingSection>
  )
}

function Read({ report }: { readonly report: DoctorReport }): ReactNode {
  const { at, durationMs, version, onDisk, listed, readable, events, blobs, blobBytes } = report
  const when = `${calendarDay(at)}, ${clockTime(at)}`
  return (
    <Facts
      facts={[
        { term: 'Last check', fact: `${when}, by version ${version}, in ${duration(durationMs)}` },
        { term: 'Sessions', fact: `${counted(onDisk, 'session')} on disk, ${listed} listed, ${readable} readable` },
        { term: 'Read', fact: `${counted(events, 'event')}, ${counted(blobs, 'stored content')} of ${byteSize(blobBytes)}` },
      ]}
    />
  )
}

function Found({ report: { findings, more, repaired } }: { readonly report: DoctorReport }): ReactNode {
  const damage = findings.filter(isDamage).length
  const notes = findings.length - damage
  return (
    <>
      {repaired.length > 0 && (
        <section aria-label="Repaired">
          <h3 className="strong">Repaired</h3>
          <ul className={styles.repaired}>
            {repaired.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </section>
      )}
      <p role="status" className={styles.result}>
        {damage === 0 ? 'No damage found.' : `${counted(damage, 'problem')} found.`}
        {notes > 0 && ` ${counted(notes, 'harmless note')}.`}
        {more > 0 && ` ${more} more are not shown.`}
      </p>
      {findings.length > 0 && (
        <ul className={styles.findings} aria-label="Findings">
          {findings.map((finding) => (
            <li key={`${finding.code} ${finding.what}`}>
              <FindingRow finding={finding} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function FindingRow({ finding: { what, kept, todo, sessionId } }: { readonly finding: Finding }): ReactNode {
  const desk = useDesk()
  const title = useStore(desk.list, ({ sessions }) => (sessionId === null ? null : (sessions.get(sessionId)?.title ?? null)))
  return (
    <ErrorNotice
      framed
      happened={title === null || title === '' ? what : `${what} (${title})`}
      kept={kept}
      todo={todo}
      {...(sessionId !== null &&
        title !== null && {
          actions: (
            <Button small onPress={() => showSession(desk, sessionId)}>
              Open the session
            </Button>
          ),
        })}
    />
  )
}
