import { ArrowLeft, GitFork, Layers, X } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { flushSync } from 'react-dom'
import { useStore } from 'zustand'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { SessionConfigured } from '../../../shared/session/events.ts'
import { agentIn, configureSession, renameSession, showSession, stopTurn } from '../../state/commands/actions.ts'
import { closeOfPair } from '../../state/commands/session-pair.ts'
import { isBesideFolder } from '../../state/commands/layer-actions.ts'
import { useDesk, useOfflineReason, useSession, useView } from '../../state/desk-context.ts'
import { nameOf } from '../../state/stores/session-list.ts'
import { forkFamily } from '../../state/views/session-families.ts'
import { useAgentName } from '../../state/agents/use-other-agents.ts'
import { useSandbox } from '../../state/hooks/use-sandbox.ts'
import { modeOptions } from '../../ui/session-options.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Menu } from '../../ui/controls/menu.tsx'
import { calendarDay, clipped, clockTime, counted } from '../../ui/format.ts'
import { NameField } from '../../ui/controls/name-field.tsx'
import { Select } from '../../ui/controls/select/select.tsx'
import { PaneHead } from '../../ui/frame/panes/pane.tsx'
import { StopSquare } from '../../ui/marks/dot.tsx'
import { Icon } from '../../ui/marks/icon.tsx'
import { AgentChoices, AgentName } from './agent-choices.tsx'
import { ModelSelect } from './model-select.tsx'
import styles from './work.module.css'

const NO_CONFIG: SessionConfigured = { provider: 'anthropic', model: '', mode: 'ask', effort: null, baseUrl: null }

/** The head of a session: title, mode, model, and Stop. */
export function WorkHead({ sessionId, title }: { readonly sessionId: SessionId; readonly title: string }): ReactNode {
  const desk = useDesk()
  const listed = useStore(desk.list, ({ sessions }) => sessions.get(sessionId)?.config ?? NO_CONFIG)
  const config = useSession(sessionId, (session) => session.config, listed)
  const folder = useStore(desk.list, ({ sessions }) => sessions.get(sessionId)?.folder ?? '')
  const project = nameOf(folder)
  const sandbox = useSandbox(folder)
  const isBeside = isBesideFolder(config)
  const isUnconfined = isBeside && sandbox?.kind === 'absent'
  const offline = useOfflineReason()
  const agent = useAgentName(agentIn(config.where))
  const isOfPair = useView((view) => view.pair?.includes(sessionId) === true)
  const isRunning = useSession(sessionId, (session) => session.run === 'PROCESSING' || session.run === 'AWAITING_INPUT', false)
  return (
    <PaneHead
      rank={1}
      lead={<BackToParent sessionId={sessionId} />}
      title={<SessionTitle sessionId={sessionId} title={title} />}
      end={
        <>
          {(config.where === undefined || isUnconfined) && (
            <Select
              label="Mode"
              prefix="Mode"
              selected={config.mode}
              options={modeOptions(sandbox?.kind === 'present')}
              onSelect={(mode) => configureSession(desk, sessionId, { mode })}
              align="end"
              disabledReason={offline}
            />
          )}
          {config.where?.kind !== 'bring-in' && agent === null && <ModelSelect sessionId={sessionId} config={config} />}
          {agent !== null && <AgentName sessionId={sessionId} name={agent} />}
          {agent !== null && <AgentChoices sessionId={sessionId} />}
          {isRunning && (
            <Button
              small
              lead={<StopSquare />}
              tip="Stops this turn (press Esc twice)"
              disabledReason={offline}
              onPress={() => stopTurn(desk, sessionId)}
            >
              Stop
            </Button>
          )}
          {isOfPair && (
            <Button
              variant="quiet"
              small
              only
              icon={X}
              label={`Close ${title}`}
              tip="Shows only the other session"
              onPress={() => closeOfPair(desk, sessionId)}
            />
          )}
        </>
      }
    >
      <ForkedFrom sessionId={sessionId} />
      <ForkFamily sessionId={sessionId} />
      <BroughtFrom sessionId={sessionId} />
      {isBeside && <Icon glyph={Layers} size={14} />}
      {project !== '' && (
        <span className={styles.project} data-tip={folder}>
          {isBeside ? `beside ${project}` : project}
        </span>
      )}
      {isUnconfined && <span className={styles.project}>not confined</span>}
    </PaneHead>
  )
}

/** The name of the session. A double click or F2 edits it in place. */
function SessionTitle({ sessionId, title }: { readonly sessionId: SessionId; readonly title: string }): ReactNode {
  const desk = useDesk()
  const isEditing = useView((view) => view.renaming && view.sessionId === sessionId)
  const name = useStore(desk.list, ({ sessions }) => sessions.get(sessionId)?.title ?? '')
  if (isEditing)
    return (
      <NameField
        label="Name of the session"
        name={name}
        whileEmpty="Named after the request"
        onDone={(typed, before) => {
          flushSync(() => desk.view.setState({ renaming: false }))
          if (typed !== null) renameSession(desk, sessionId, typed)
          if (before instanceof HTMLElement) before.focus({ preventScroll: true })
        }}
      />
    )
  return (
    <span
      data-tip={title.length > 50 ? title : 'Double-click to rename'}
      data-tip-keys={title.length > 50 ? undefined : 'F2'}
      onDoubleClick={() => desk.view.setState({ renaming: true })}
    >
      {title}
    </span>
  )
}

/** A link from a fork to the session whose conversation it continues. */
function ForkedFrom({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const desk = useDesk()
  const from = useSession(sessionId, ({ forkedFrom }) => forkedFrom?.sessionId ?? null, null)
  const source = useStore(desk.list, ({ sessions }) => (from === null ? undefined : sessions.get(from)))
  if (from === null) return null
  if (!source) return <span className={styles.project}>Fork of a deleted session</span>
  const words = clipped(source.title, 32) || 'an unnamed session'
  return (
    <Button variant="quiet" small icon={GitFork} tip={`To ${source.title}`} onPress={() => showSession(desk, source.sessionId)}>
      Fork of {words}
    </Button>
  )
}

/** A link from a session that brings in changes to the session that made them. */
function BroughtFrom({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const desk = useDesk()
  const from = useSession(sessionId, ({ config: { where } }) => (where?.kind === 'bring-in' ? where.from : null), null)
  const source = useStore(desk.list, ({ sessions }) => (from === null ? undefined : sessions.get(from)))
  if (from === null) return null
  if (!source) return <span className={styles.project}>From a deleted session</span>
  return (
    <Button variant="quiet" small icon={Layers} tip={`To ${source.title}`} onPress={() => showSession(desk, source.sessionId)}>
      From {clipped(source.title, 32) || 'an unnamed session'}
    </Button>
  )
}

/** All sessions of this session's fork family. Hidden if the family consists only of this session and its source. */
function ForkFamily({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const desk = useDesk()
  const forks = useStore(desk.flags, (flags) => flags.forks)
  const sessions = useStore(desk.list, (list) => list.sessions)
  const family = useMemo(() => forkFamily(sessions, forks, sessionId), [sessions, forks, sessionId])
  const own = family.filter(({ session }) => forks.get(session.sessionId) === sessionId).length
  if (own === 0 && family.length <= 2) return null
  return (
    <Menu
      label="Forks"
      trigger={{ variant: 'quiet', small: true, icon: GitFork, children: own > 0 ? counted(own, 'fork') : 'All forks' }}
      entries={family.map(({ session, depth }) => ({
        kind: 'item',
        id: session.sessionId,
        label: `${'\u2003'.repeat(depth)}${clipped(session.title, 48) || 'An unnamed session'}, ${calendarDay(session.startedAt)} ${clockTime(session.startedAt)}`,
        disabledReason: session.sessionId === sessionId ? 'This session' : null,
        onSelect: () => showSession(desk, session.sessionId),
      }))}
    />
  )
}

/** A link from a subagent's session back to its parent. */
function BackToParent({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const desk = useDesk()
  const parent = useStore(desk.list, ({ sessions }) => {
    const link = sessions.get(sessionId)?.parent
    return link ? (sessions.get(link.sessionId) ?? null) : null
  })
  if (!parent) return null
  const words = clipped(parent.title, 48) || 'the parent session'
  return (
    <Button
      variant="quiet"
      small
      icon={ArrowLeft}
      className={styles.back}
      label={`Back to ${words}`}
      tip={`To ${words}`}
      onPress={() => showSession(desk, parent.sessionId)}
    >
      Back
    </Button>
  )
}
