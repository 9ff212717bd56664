import { X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { parseAddress, placeName } from '../../../shared/places/address.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { SessionConfigured } from '../../../shared/session/events.ts'
import { agentIn } from '../../state/commands/actions.ts'
import { isBesideFolder, workElsewhere } from '../../state/commands/layer-actions.ts'
import { useDesk, useOfflineReason, useSession } from '../../state/desk-context.ts'
import { useAgentName, useOtherAgents } from '../../state/agents/use-other-agents.ts'
import { useSandbox } from '../../state/hooks/use-sandbox.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { SECTIONS } from '../../ui/settings-sections.ts'
import styles from './where-sheet.module.css'

const PLACES = [
  { id: 'here', name: 'Here', means: 'In the folder. Each change asks for your signature.' },
  { id: 'beside', name: 'Beside', means: 'In a layer over the folder. Nothing asks; you bring changes in when you like.' },
] as const

const BESIDE_ONLY = 'Other agents work only beside the folder. You sign their changes when you bring them in.'
const NO_LAYERS = 'Sessions cannot work beside the folder, because the sandbox is off.'
const NO_AGENTS = 'Other agents need the sandbox, which is not available here.'
const IN_CLONE = 'In a clone of the folder. This machine has no sandbox, so each command asks first.'

/** Where a session works, as long as it can still be chosen: before its first message. Null after that. */
function useWhere(sessionId: SessionId): (typeof PLACES)[number]['id'] | null {
  const config = useSession<SessionConfigured | null>(sessionId, (session) => session.config, null)
  const isNew = useSession(sessionId, (session) => session.items.length === 0 && session.parent === null, false)
  if (config === null || config.provider === 'rehearsal' || !isNew) return null
  return isBesideFolder(config) ? 'beside' : 'here'
}

interface WhereProps {
  readonly sessionId: SessionId
  readonly isOpen: boolean
  readonly onToggle: (isOpen: boolean) => void
}

/** Says where a new session works, and opens the sheet that changes it. Nothing for other sessions. */
export function WhereButton({ sessionId, isOpen, onToggle }: WhereProps): ReactNode {
  const where = useWhere(sessionId)
  const agent = useAgentName(useSession(sessionId, (session) => agentIn(session.config.where), null))
  if (where === null) return null
  return (
    <Button variant="quiet" small expanded={isOpen} onPress={() => onToggle(!isOpen)}>
      Work: {where}
      {agent !== null && `, ${agent}`}
    </Button>
  )
}

/** Above the message, which can be typed on: the places in which a new session can work, each with what it means. */
export function WhereSheet({ sessionId, isOpen, onToggle }: WhereProps): ReactNode {
  const desk = useDesk()
  const where = useWhere(sessionId)
  const folder = useSession(sessionId, (session) => session.cwd, '')
  const sandbox = useSandbox(folder)
  const config = useSession<SessionConfigured | null>(sessionId, (session) => session.config, null)
  const offline = useOfflineReason()
  const group = useId()
  const chosen = useRef<HTMLInputElement>(null)
  const isShown = isOpen && where !== null
  useLayoutEffect(() => {
    if (isShown) chosen.current?.focus({ preventScroll: true })
  }, [isShown])
  if (!isShown) return null
  const agent = agentIn(config?.where)
  const missing = sandbox?.kind === 'off' ? NO_LAYERS : null
  const isUnconfined = sandbox?.kind === 'absent'
  const close = (): void => {
    onToggle(false)
    document.querySelector<HTMLElement>(`[data-composer-of="${CSS.escape(sessionId)}"]`)?.focus({ preventScroll: true })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' && event.key !== 'Enter') return
    event.preventDefault()
    event.stopPropagation()
    close()
  }
  return (
    <fieldset className={styles.sheet}>
      <legend className={styles.head}>Where should it work?</legend>
      <span className={styles.close}>
        <Button variant="quiet" small only icon={X} label="Close" keys="Esc" onPress={close} />
      </span>
      {PLACES.map(({ id, name, means }, at) => {
        const disabled = offline ?? (id === 'beside' ? missing : agent === null ? null : BESIDE_ONLY)
        return (
          <label key={id} className={styles.place} data-chosen={where === id || undefined} data-disabled={disabled !== null || undefined}>
            <span className="number" aria-hidden="true">
              {at + 1}
            </span>
            <input
              ref={where === id ? chosen : undefined}
              type="radio"
              onKeyDown={onKeyDown}
              name={group}
              checked={where === id}
              aria-disabled={disabled !== null || undefined}
              onChange={() => disabled === null && workElsewhere(desk, sessionId, { isBeside: id === 'beside', agent })}
            />
            <span>
              <span className="strong">{name}</span>{' '}
              <span className="soft">{disabled ?? (id === 'beside' && isUnconfined ? IN_CLONE : means)}</span>
            </span>
          </label>
        )
      })}
      <WhoRow sessionId={sessionId} agent={agent} disabled={offline ?? missing ?? (isUnconfined ? NO_AGENTS : null)} />
      <OnRow folder={folder} />
    </fieldset>
  )
}

/** Shows the machine where the session works. To work on another machine, the user chooses a folder there. */
function OnRow({ folder }: { readonly folder: string }): ReactNode {
  const desk = useDesk()
  const { place } = parseAddress(folder)
  return (
    <div className={styles.who}>
      <span className={styles.whoTerm}>On</span>
      <span className={styles.whoChoice}>
        {place === null ? 'This computer' : placeName(place)}
        <Button variant="quiet" small onPress={() => desk.view.setState({ overlay: { kind: 'place' } })}>
          Another…
        </Button>
      </span>
    </div>
  )
}

const OWN = 'countersign'

interface WhoRowProps {
  readonly sessionId: SessionId
  /** The id of the chosen agent. Null for Countersign's own. */
  readonly agent: string | null
  /** Why third-party agents cannot be chosen. Null if they can. */
  readonly disabled: string | null
}

/** Chooses the agent: Countersign's own, or a third-party agent, which works in a layer. */
function WhoRow({ sessionId, agent, disabled }: WhoRowProps): ReactNode {
  const desk = useDesk()
  const { found } = useOtherAgents()
  if (found === null) return null
  const installed = found.agents.filter(({ id, file }) => file !== null || id === agent)
  return (
    <div className={styles.who}>
      <span className={styles.whoTerm}>Who</span>
      <span className={styles.whoChoice}>
        <Segmented
          label="Who works"
          segments={[
            { id: OWN, label: 'Countersign' },
            ...installed.map(({ id, name }) => ({ id, label: name, disabledReason: disabled })),
          ]}
          selected={agent ?? OWN}
          onSelect={(id) =>
            workElsewhere(desk, sessionId, id === OWN ? { isBeside: agent === null, agent: null } : { isBeside: true, agent: id })
          }
        />
        {installed.length < found.agents.length && (
          <Button variant="quiet" small onPress={() => desk.view.setState({ page: 'settings', section: SECTIONS.agents.id })}>
            {installed.length === 0 ? 'How to install others' : 'Others'}
          </Button>
        )}
      </span>
    </div>
  )
}
