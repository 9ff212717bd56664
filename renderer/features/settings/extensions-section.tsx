import type { ReactNode } from 'react'
import type { ListedAgents, ListedCommands } from '../../../shared/api/workspace.ts'
import { useCurrentFolder } from '../../state/desk-context.ts'
import { useAnswer } from '../../state/use-answer.ts'
import { answeringWords } from '../../ui/format.ts'
import { ErrorNotice } from '../../ui/notices/error-notice.tsx'
import { ExactText } from '../../ui/text/exact-text.tsx'
import styles from './settings.module.css'
import { SettingSection } from './setting-section.tsx'
import { SECTIONS } from '../../ui/settings-sections.ts'

/** The slash commands, skills and kinds of subagents of the user and of the current session's project, and the files that are not used. */
export function ExtensionsSection(): ReactNode {
  const { folder, commands, agents } = useExtensions()
  return (
    <SettingSection
      section={SECTIONS.extensions}
      lede="Slash commands, skills and kinds of subagents: yours, and those of the current session’s project. They are read again whenever this page opens."
    >
      {folder === '' && <p className="soft">Open a session to see the commands and skills of its project.</p>}
      {agents && <AgentTable agents={agents.agents} />}
      {commands && commands.commands.length > 0 && <CommandTable commands={commands.commands} />}
      {commands?.unused.map(({ path, why }) => (
        <p key={path} className="soft">
          Not used: <ExactText text={path} />. {why}
        </p>
      ))}
      {agents?.troubles.map(({ what, kept, todo }) => (
        <ErrorNotice key={what} framed happened={what} kept={kept} todo={todo} />
      ))}
    </SettingSection>
  )
}

interface Extensions {
  readonly folder: string
  /** Null if the commands are not known yet. */
  readonly commands: ListedCommands | null
  readonly agents: ListedAgents | null
}

function useExtensions(): Extensions {
  const folder = useCurrentFolder() ?? ''
  const { value } = useAnswer(
    folder,
    folder === '' ? null : (client) => Promise.all([client.workspace.commands({ folder }), client.workspace.agents({ folder })]),
  )
  const [commands, agents] = value ?? [null, null]
  return { folder, commands, agents }
}

function AgentTable({ agents }: { readonly agents: ListedAgents['agents'] }): ReactNode {
  return (
    <table className={styles.table} aria-label="Kinds of subagents">
      <thead>
        <tr>
          <th>Subagent</th>
          <th>What it does</th>
          <th>Tools</th>
          <th>From</th>
        </tr>
      </thead>
      <tbody>
        {agents.map(({ name, description, path, tools, excludedTools, model, readsOnly }) => (
          <tr key={name} className={styles.row}>
            <td>{name}</td>
            <td>{description}</td>
            <td>
              {tools?.join(', ') ?? (readsOnly ? 'All that only read' : 'All')}
              {excludedTools.length > 0 && <p className="soft">Except: {excludedTools.join(', ')}</p>}
              {model !== null && <p className="soft">Model: {model}</p>}
            </td>
            <td className={path === null ? undefined : 'path'}>{path === null ? 'Built in' : <ExactText text={path} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const ORIGINS = { project: 'Project', person: 'You', server: 'MCP server', 'built-in': 'Built in' } as const

function CommandTable({ commands }: { readonly commands: ListedCommands['commands'] }): ReactNode {
  return (
    <table className={styles.table} aria-label="Slash commands and skills">
      <thead>
        <tr>
          <th>Command</th>
          <th>What it does</th>
          <th>Kind</th>
          <th>From</th>
        </tr>
      </thead>
      <tbody>
        {commands.map(({ name, description, hint, kind, from, model, effort, unusedFields }) => (
          <tr key={name} className={styles.row}>
            <td>
              <code>/{name}</code> {hint !== '' && <span className="soft">{hint}</span>}
            </td>
            <td>
              {description}
              {(model !== null || effort !== null) && <p className="soft">For its turn: {answeringWords({ model, effort })}</p>}
              {unusedFields.length > 0 && <p className="soft">Fields without effect here: {unusedFields.join(', ')}</p>}
            </td>
            <td>{kind === 'skill' ? 'Skill' : 'Command'}</td>
            <td>{ORIGINS[from]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
