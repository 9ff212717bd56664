import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import type { AppClient } from '../../../../shared/api/contract.ts'
import type { McpImportPreview, McpImportServer, McpState } from '../../../../shared/api/mcp.ts'
import type { Done } from '../../../../shared/api/sessions.ts'
import { useCurrentFolder } from '../../../state/desk-context.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Check } from '../../../ui/controls/check.tsx'
import { counted } from '../../../ui/format.ts'
import { ExactText } from '../../../ui/text/exact-text.tsx'
import styles from './mcp.module.css'

/** Resolves to true if the change was made. Otherwise resolves to false, and the section shows the reason. */
export type ChangeServers = (run: (client: AppClient) => Promise<Done>) => Promise<boolean>

const AGENTS: Readonly<Record<McpImportServer['agent'], string>> = {
  'claude-code': 'Claude Code',
  'vs-code': 'VS Code',
  codex: 'Codex',
  gemini: 'Gemini',
}

const KEPT_IN: Readonly<Record<McpState['keptIn'], string>> = {
  keychain: 'They are kept in the key store.',
  pending: 'They are kept once the keychain of this computer is open. Unlock it if it asks.',
  memory: 'There is no key store here, so they are forgotten when Countersign ends. Then give them again in this section.',
}
const CLEAR_TEXT = 'They are written to mcp.json in clear text, as in the file that they come from.'

interface McpImportProps {
  readonly change: ChangeServers
  readonly keptIn: McpState['keptIn']
  /** The names of the servers that exist. When they change, also by another window, the servers to add are listed again. */
  readonly known: readonly string[]
}

/** The servers of other agents. They are shown before the chosen servers are added to the user's own. */
export function McpImport({ change, keptIn, known }: McpImportProps): ReactNode {
  const folder = useCurrentFolder()
  const [preview, setPreview] = useState<McpImportPreview | null>(null)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [isStored, setStored] = useState(true)
  const look = (): void =>
    void change(async (client) => {
      setPreview(await client.mcp.importPreview({ folder }))
      setChosen(new Set())
      return { ok: true }
    })
  const lookAgain = useEffectEvent(() => {
    if (preview === null) return
    void change(async (client) => {
      const found = await client.mcp.importPreview({ folder })
      // It may have been closed in the meantime.
      setPreview((now) => now && found)
      const toAdd = new Set(found.servers.flatMap(({ id, isKnown }) => (isKnown ? [] : [id])))
      setChosen((before) => toAdd.intersection(before))
      return { ok: true }
    })
  })
  const names = known.join('\n')
  useEffect(() => lookAgain(), [names])
  const add = async (): Promise<void> => {
    if (await change((client) => client.mcp.import({ folder, ids: [...chosen], secrets: isStored ? 'store' : 'keep' }))) setPreview(null)
  }
  const choose = (id: string, isChosen: boolean): void => {
    const others = [...chosen].filter((one) => one !== id)
    setChosen(new Set(isChosen ? [...others, id] : others))
  }
  return (
    <div className={styles.import}>
      <Button small variant="quiet" expanded={preview !== null} onPress={() => (preview ? setPreview(null) : look())}>
        Import servers
      </Button>
      {preview && (
        <div className={styles.approval} role="group" aria-label="Servers of other agents">
          <p>{previewWords(preview)}</p>
          {preview.servers.map((server) => (
            <ImportedServer key={server.id} server={server} chosen={chosen.has(server.id)} onChange={(on) => choose(server.id, on)} />
          ))}
          {preview.leftOut.map(({ file, what, why }) => (
            <p key={`${file} ${what}`} className="soft">
              Not imported: <code>{what}</code> of <code>{file}</code>. {why}
            </p>
          ))}
          {preview.servers.some(({ id, secrets }) => chosen.has(id) && secrets.length > 0) && (
            <>
              <Check
                label="Store the values that look like secrets separately, and put references in their place"
                checked={isStored}
                onChange={setStored}
              />
              <p className="soft">{isStored ? KEPT_IN[keptIn] : CLEAR_TEXT}</p>
            </>
          )}
          {preview.servers.some(({ isKnown }) => !isKnown) && (
            <Button
              small
              disabledReason={chosen.size === 0 ? 'Choose a server first.' : null}
              onPress={() => void add()}
            >{`Add ${counted(chosen.size, 'server')}`}</Button>
          )}
        </div>
      )}
    </div>
  )
}

interface ImportedServerProps {
  readonly server: McpImportServer
  readonly chosen: boolean
  readonly onChange: (chosen: boolean) => void
}

function ImportedServer({ server, chosen, onChange }: ImportedServerProps): ReactNode {
  const { agent, name, file, target, variables, secrets, notTaken, isKnown } = server
  return (
    <div className={styles.found}>
      <Check
        label={`${name}, from ${AGENTS[agent]}`}
        checked={chosen}
        disabledReason={isKnown ? 'You already have a server with this name.' : null}
        onChange={onChange}
      />
      <code className={styles.target}>
        <ExactText text={target} />
      </code>
      <p className="soft">
        From <code>{file}</code>
        {variables.length > 0 && `. Needs ${variables.join(', ')}`}
        {isKnown && '. You already have a server with this name'}.
      </p>
      {secrets.length > 0 && (
        <p className="soft">
          {secrets.length === 1 ? 'Looks like a secret' : 'Look like secrets'}: <code>{secrets.join(', ')}</code>.
        </p>
      )}
      {notTaken.map(({ what, why }) => (
        <p key={what} className="soft">
          Not imported: <code>{what}</code>. {why}
        </p>
      ))}
    </div>
  )
}

function previewWords({ files, servers }: McpImportPreview): string {
  if (files.length === 0) return 'No file of Claude Code, VS Code, Codex or Gemini was found.'
  if (servers.length === 0) return `No MCP servers were found in ${files.join(', ')}.`
  return 'Added servers are started with every session, and their tools are offered once you have approved them.'
}
