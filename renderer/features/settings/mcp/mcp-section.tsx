import { type ReactNode, useState } from 'react'
import { useStore } from 'zustand'
import type { AppClient } from '../../../../shared/api/contract.ts'
import type { McpServerState, McpState, McpToolState } from '../../../../shared/api/mcp.ts'
import type { Done } from '../../../../shared/api/sessions.ts'
import type { Trouble } from '../../../../shared/session/events.ts'
import { assertNever } from '../../../../shared/lib/assert-never.ts'
import { useOpenLink } from '../../../state/hooks/use-open-link.ts'
import { attemptRequest } from '../../../state/commands/attempt-request.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { nameOf } from '../../../state/stores/session-list.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Switch } from '../../../ui/controls/switch.tsx'
import { counted } from '../../../ui/format.ts'
import { ExactText } from '../../../ui/text/exact-text.tsx'
import { OutsideLink } from '../../../ui/text/outside-link.tsx'
import { ErrorNotice } from '../../../ui/notices/error-notice.tsx'
import { ScriptChanges } from '../script-changes.tsx'
import { SettingSection } from '../setting-section.tsx'
import { SECTIONS } from '../../../ui/settings-sections.ts'
import { type ChangeServers, McpImport } from './mcp-import.tsx'
import { ServerVariable } from './server-variable.tsx'
import styles from './mcp.module.css'

type Change = (run: (client: AppClient) => Promise<Done>) => void

/** The MCP servers of the open folders: their status, their log, and their tools, which can be approved and switched on and off. */
export function McpSection(): ReactNode {
  const desk = useDesk()
  const state = useStore(desk.mcp, ({ mcp }) => mcp)
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const change: ChangeServers = async (run) => {
    const failed = await attemptRequest(desk, 'The MCP servers were not changed', run)
    setTrouble(failed)
    return failed === null
  }
  return (
    <SettingSection
      section={SECTIONS.mcp}
      lede="Programs and services that give the model more tools. A server’s tools are offered once you have approved them, and again when they change. Each call needs your approval, unless a rule allows it."
    >
      {trouble && <ErrorNotice framed happened={trouble.what} kept={trouble.kept} todo={trouble.todo} />}
      {state?.problems.map((problem) => (
        <ErrorNotice
          key={problem}
          framed
          happened={problem}
          kept="The other servers are used."
          todo="Correct the file, then open the folder again."
        />
      ))}
      {state?.servers.length === 0 && (
        <p className="soft">
          No servers. They are read from <code>.mcp.json</code> of a trusted folder, and from <code>mcp.json</code> in Countersign’s data
          folder, when a session opens.
        </p>
      )}
      {state?.servers.map((server) => (
        <Server key={`${server.folder} ${server.name}`} server={server} keptIn={state.keptIn} change={(run) => void change(run)} />
      ))}
      <McpImport change={change} keptIn={state?.keptIn ?? 'pending'} known={(state?.servers ?? []).map(({ name }) => name)} />
    </SettingSection>
  )
}

const STATUS: Readonly<Record<McpServerState['status'], string>> = { starting: 'Starting', running: 'Running', failed: 'Failed' }

interface ServerProps {
  readonly server: McpServerState
  readonly keptIn: McpState['keptIn']
  readonly change: Change
}

function Server({ server, keptIn, change }: ServerProps): ReactNode {
  const [showsLog, setShowsLog] = useState(false)
  const { folder, name, target, origin, status, failure, signIn, log, isConfined, isFree, changed, scripts } = server
  const id = { folder, name }
  const isSignedOut = signIn.kind === 'needed' || signIn.kind === 'waiting'
  return (
    <div className={styles.server} role="group" aria-label={`MCP server ${name}`}>
      <div className={styles.head}>
        <h3 className="strong">{name}</h3>
        <span className={status === 'failed' && !isSignedOut ? styles.failed : 'soft'}>{isSignedOut ? 'Signed out' : STATUS[status]}</span>
        <span className="soft">
          {origin === 'project' ? `from ${nameOf(folder)}` : `yours, in ${nameOf(folder)}`}
          {isConfined === true && ', confined to the folder, without network'}
          {isConfined === false && ', runs with all your rights'}
        </span>
        <span className={styles.actions}>
          {changed.length > 0 && (
            <Button small variant="quiet" onPress={() => change((client) => client.mcp.setFree({ ...id, isFree, scripts }))}>
              Allow again
            </Button>
          )}
          {isConfined !== null && (isConfined || isFree) && (
            <Button
              small
              variant="quiet"
              onPress={() => change((client) => client.mcp.setFree({ ...id, isFree: !isFree, scripts: isFree ? null : scripts }))}
            >
              {isFree ? 'Confine' : 'Give full rights'}
            </Button>
          )}
          <Button small variant="quiet" onPress={() => change((client) => client.mcp.restart(id))}>
            Restart
          </Button>
          <Button small variant="quiet" expanded={showsLog} onPress={() => setShowsLog(!showsLog)}>
            Log
          </Button>
        </span>
      </div>
      <code className={styles.target}>{target}</code>
      {failure !== null && !isSignedOut && <p className={styles.failed}>{failure}</p>}
      <ScriptChanges changed={changed} />
      <SignIn server={server} keptIn={keptIn} change={change} />
      {server.variables.map((variable) => (
        <ServerVariable key={variable.name} server={server} variable={variable} keptIn={keptIn} change={change} />
      ))}
      {showsLog && (
        <pre className={styles.log} aria-label={`Log of ${name}`}>
          {log.join('\n') || 'Nothing yet.'}
        </pre>
      )}
      <Approval server={server} change={change} />
      {server.tokens > 0 && <p className="soft">{tokenWords(server)}</p>}
      <ul className={styles.tools}>
        {server.tools.map((tool) => (
          // A description that was unfolded is not shown for tools that have changed since.
          <Tool key={`${tool.name} ${server.toApprove ?? ''}`} server={server} tool={tool} change={change} />
        ))}
      </ul>
    </div>
  )
}

function tokenWords({ tokens, isSearched }: Pick<McpServerState, 'tokens' | 'isSearched'>): string {
  const about = `about ${tokens.toLocaleString('en-US')} tokens`
  if (!isSearched) return `Its tools take ${about} of each request.`
  return `Its tools would take ${about} of each request. The folder has so many tools that the model searches them, and gets those it finds.`
}

function SignIn({ server: { folder, name, signIn }, keptIn, change }: ServerProps): ReactNode {
  const open = useOpenLink()
  const id = { folder, name }
  switch (signIn.kind) {
    case 'none':
      return null
    case 'needed':
      return (
        <div className={styles.approval}>
          <p>
            This server needs you to sign in. You do that on its own page, in your browser.
            {keptIn === 'memory' && ' There is no key store here, so you are signed out again when Countersign ends.'}
            {keptIn === 'pending' && ' The keychain of this computer is not open yet. Unlock it if it asks, so that you stay signed in.'}
          </p>
          <Button small onPress={() => change((client) => client.mcp.signIn(id))}>
            Sign in
          </Button>
        </div>
      )
    case 'waiting':
      return (
        <div className={styles.approval}>
          <p>
            Sign in at{' '}
            <OutsideLink url={signIn.address} open={open}>
              <ExactText text={signIn.address.split('?', 1)[0] ?? ''} />
            </OutsideLink>
          </p>
          <p className="soft">This page shows the tools of the server as soon as you are signed in.</p>
          <Button small variant="quiet" onPress={() => change((client) => client.mcp.cancelSignIn(id))}>
            Cancel
          </Button>
        </div>
      )
    case 'signed_in':
      return (
        <p className="soft">
          You are signed in.{' '}
          <Button small variant="quiet" onPress={() => change((client) => client.mcp.signOut(id))}>
            Sign out
          </Button>
        </p>
      )
    default:
      return assertNever(signIn, 'sign-in')
  }
}

function Approval({ server, change }: { readonly server: McpServerState; readonly change: Change }): ReactNode {
  const { folder, name, toApprove, hasChanged, tools } = server
  if (toApprove === null) return null
  return (
    <div className={styles.approval}>
      <p>
        {hasChanged
          ? 'Its tools have changed since you approved them. None is offered until you approve them again.'
          : 'Its tools are not offered to the model yet. Read their descriptions: the model reads them too.'}
      </p>
      <Button small onPress={() => change((client) => client.mcp.approve({ folder, name, hash: toApprove }))}>
        {`Sign ${counted(tools.length, 'tool')}`}
      </Button>
    </div>
  )
}

interface ToolProps {
  readonly server: McpServerState
  readonly tool: McpToolState
  readonly change: Change
}

function Tool({ server: { folder, name: server, status }, tool: { name, calledAs, description, isOn }, change }: ToolProps): ReactNode {
  const [whole, setWhole] = useState<string | null>(null)
  const show = (): void =>
    change(async (client) => {
      setWhole((await client.mcp.describe({ folder, name: server, tool: name })).text ?? 'The server no longer has this tool.')
      return { ok: true }
    })
  return (
    <li className={styles.tool}>
      <div>
        <code>{calledAs}</code>
        {whole === null ? (
          <p className="soft">
            <ExactText text={description} />
          </p>
        ) : (
          <pre className={styles.whole}>
            <ExactText text={whole} />
          </pre>
        )}
        {status === 'running' && (
          <Button
            small
            variant="quiet"
            expanded={whole !== null}
            label={`Show ${whole === null ? 'all' : 'less'} of ${name} from ${server}`}
            onPress={() => (whole === null ? show() : setWhole(null))}
          >
            {whole === null ? 'Show all' : 'Show less'}
          </Button>
        )}
      </div>
      <Switch
        label={`Offer ${name} from ${server}`}
        on={isOn}
        onChange={(next) => change((client) => client.mcp.switchTool({ folder, name: server, tool: name, isOn: next }))}
      />
    </li>
  )
}
