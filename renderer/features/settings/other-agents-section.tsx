import { RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AgentSummary } from '../../../shared/agents/other-agents-api.ts'
import { useDesk, useOfflineReason, useView } from '../../state/desk-context.ts'
import { openOwnTerminal } from '../../state/commands/own-terminals.ts'
import { useOtherAgents } from '../../state/agents/use-other-agents.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ErrorNotice } from '../../ui/notices/error-notice.tsx'
import { SECTIONS } from '../../ui/settings-sections.ts'
import { ExactText, ForeignText } from '../../ui/text/exact-text.tsx'
import { SettingSection } from './setting-section.tsx'
import styles from './settings.module.css'

/** Third-party agents: which are installed, which hosts they may reach, and how to install the others. */
export function OtherAgentsSection(): ReactNode {
  const { found, look } = useOtherAgents()
  return (
    <SettingSection
      section={SECTIONS.agents}
      lede="Third-party agents that are installed on this computer. They use their own accounts and work in a layer over your folder, and you sign what they changed. Choose one in “Work” below the message of a new session."
    >
      {found?.problem && (
        <ErrorNotice framed happened={found.problem} kept="The agents below work as usual." todo="Correct the file, then look again." />
      )}
      <table className={styles.table} aria-label="Other agents">
        <thead>
          <tr>
            <th>Agent</th>
            <th>Program</th>
            <th>It may reach</th>
            <th>In a terminal</th>
          </tr>
        </thead>
        <tbody>
          {found?.agents.map((agent) => (
            <AgentRow key={agent.id} agent={agent} />
          ))}
        </tbody>
      </table>
      <div className={styles.look}>
        <Button small icon={RefreshCw} onPress={look}>
          Look for agents again
        </Button>
      </div>
    </SettingSection>
  )
}

function AgentRow({ agent: { name, file, install, signIns, version, tested, hosts, state } }: { readonly agent: AgentSummary }): ReactNode {
  if (file === null)
    return (
      <tr className={styles.row}>
        <td className="soft">{name}</td>
        <td colSpan={2}>
          Not installed. {install !== '' && <span className="soft">To install it: </span>}
          {install !== '' && <code>{install}</code>}
        </td>
        <td>{install !== '' && <RunInTerminal label={`Install ${name}`} words={install} text="Install" />}</td>
      </tr>
    )
  return (
    <tr className={styles.row}>
      <td>
        <span className="strong">{name}</span>
        <p className="soft">{versionWords(version, tested)}</p>
      </td>
      <td>
        <span className="path">
          <ExactText text={file} />
        </span>
        {state.length > 0 && <p className="soft">Its account: {state.join(', ')}</p>}
      </td>
      <td>{hosts.length === 0 ? 'No host without asking you' : hosts.join(', ')}</td>
      <td>
        <span className={styles.signIns}>
          {signIns.map((way) => (
            <RunInTerminal
              key={way.line}
              label={way.name === '' ? `Sign in to ${name}` : `Sign in to ${name}: ${way.name}`}
              words={way.line}
              text={way.name === '' ? 'Sign in' : way.name}
            />
          ))}
        </span>
      </td>
    </tr>
  )
}

/** What is known about the installed version. */
function versionWords(version: string | null, tested: string): string {
  if (version === null) return tested === '' ? 'Not tested' : `Tested with ${tested}`
  if (tested === '') return `${version}, not tested`
  return version === tested ? `${version}, tested` : `${version}, tested with ${tested}`
}

/** Opens one of the user's own terminals in the folder of the shown session, with the command typed at its prompt. */
function RunInTerminal({ label, words, text }: { readonly label: string; readonly words: string; readonly text: string }): ReactNode {
  const desk = useDesk()
  const offline = useOfflineReason()
  const sessionId = useView((view) => view.sessionId)
  return (
    <Button
      small
      label={label}
      tip={words}
      disabledReason={offline ?? (sessionId === null ? 'Open a session first. The terminal is shown beside it.' : null)}
      onPress={() => {
        if (sessionId === null) return
        desk.view.setState({ page: 'desk' })
        openOwnTerminal(desk, sessionId, { isInFolder: true, words })
      }}
    >
      <ForeignText text={text} />
    </Button>
  )
}
