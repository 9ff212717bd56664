import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { useStore } from 'zustand'
import type { RuleDraft } from '../../../shared/api/rules.ts'
import type { NetworkEffect } from '../../../shared/session/effects.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { useDesk } from '../../state/desk-context.ts'
import { copiedCommand } from '../../state/views/request-title.ts'
import { Button } from '../../ui/controls/button.tsx'
import { useHold } from '../../ui/hooks/use-hold.ts'
import { TrayFrame } from '../../ui/ledger/tray-frame.tsx'
import { CommandParts } from '../../ui/calls/command-parts.tsx'
import { type Fact, Facts } from '../../ui/notices/facts.tsx'
import { ExactText } from '../../ui/text/exact-text.tsx'
import type { ApprovalTrayProps } from './approval-tray.tsx'
import { SignControl } from './sign-control.tsx'
import { onTrayKey, useTrayKeys } from './tray-keys.ts'
import { HeadEnd, Note, Refusals } from './tray-parts.tsx'
import styles from './tray.module.css'
import { useFocusBack, useSees, useSigning } from './use-signing.ts'

export interface NetworkHostTrayProps extends Omit<ApprovalTrayProps, 'wordsOf'> {
  readonly host: NetworkEffect
}

/** A command in its copy wants to reach a host and waits for the answer. */
export function NetworkHostTray({ sessionId, call, host, who, step, queue, leaving, onSignedShown }: NetworkHostTrayProps): ReactNode {
  const desk = useDesk()
  const tray = useRef<HTMLElement>(null)
  const refuseButton = useRef<HTMLButtonElement>(null)
  const signing = useSigning(desk, sessionId, call, useSees(tray, true))
  const folder = useStore(desk.list, ({ sessions }) => sessions.get(sessionId)?.folder ?? null)
  const allow = (where?: RuleDraft['where']): void => {
    const rule: RuleDraft | undefined = where && { answer: 'allow', when: { kind: 'host', pattern: host.host }, where }
    void desk.signing.answer(sessionId, call, { kind: 'sign', ...(rule && { rules: [rule] }) })
  }
  const refuse = (): void => void desk.signing.answer(sessionId, call, { kind: 'refuse', note: null })
  const armed = signing.kind === 'armed'
  const hold = useHold({ armed: false, onHeld: () => {} })
  useFocusBack(desk, tray, signing, call)
  const { missed, own } = useTrayKeys(tray)
  const isAnswered = signing.kind === 'answered'
  const early = armed ? null : 'The request must be on the screen for a moment first'
  return (
    <TrayFrame
      ref={tray}
      tone={isAnswered ? 'answered' : 'needs'}
      number={step ?? undefined}
      mark={isAnswered ? 'signed' : 'pending'}
      title={<HostTitle call={call} host={host} />}
      aside={who === null ? undefined : `asked by the ${who}`}
      headEnd={!isAnswered && <HeadEnd queue={queue} since={call.approval?.requestedAt ?? call.at} lines={null} />}
      answerKeys={isAnswered ? undefined : 'Mod+J'}
      leaving={leaving}
      onFocus={({ target }) => {
        if (target === tray.current) refuseButton.current?.focus({ preventScroll: true })
      }}
      onKeyDown={(event: KeyboardEvent) => onTrayKey(event, { own, armed, destructive: false, hold, sign: () => allow(), refuse })}
      foot={
        <>
          <Refusals signing={signing} refuseButton={refuseButton} onRefuse={refuse} />
          <Note signing={signing} whyNot={null} failed={false} missed={missed} destructive={false} />
          {signing.kind !== 'void' && !isAnswered && (
            <span className={styles.allows}>
              {folder !== null && (
                <Button disabledReason={early} onPress={() => allow({ kind: 'project', folder })}>
                  Allow in this project
                </Button>
              )}
              <Button disabledReason={early} onPress={() => allow({ kind: 'session', sessionId })}>
                Allow in this session
              </Button>
            </span>
          )}
          <SignControl
            signing={signing}
            hold={hold}
            onSignedShown={onSignedShown}
            words="Allow once"
            whyNot={null}
            destructive={false}
            onSign={() => allow()}
          />
        </>
      }
    >
      {!isAnswered && <HostBody call={call} host={host} />}
    </TrayFrame>
  )
}

/** A command that is too long for the title and is shown below it. Null if it fits into the title. */
function longCommandOf(call: CallItem): string | null {
  const command = call.effects.find((effect) => effect.kind === 'command')?.command.trim() ?? ''
  return command === copiedCommand(call) ? null : command
}

function HostTitle({ call, host }: Pick<NetworkHostTrayProps, 'call' | 'host'>): ReactNode {
  return (
    <>
      Let{' '}
      {longCommandOf(call) === null ? (
        <span className={styles.path}>
          <ExactText text={copiedCommand(call) ?? ''} />
        </span>
      ) : (
        'this command'
      )}{' '}
      reach{' '}
      <span className={styles.path}>
        <ExactText text={host.host} />
      </span>{' '}
      in the copy?
    </>
  )
}

const PORTS: Readonly<Record<string, string>> = { '80': 'Port 80, plain HTTP', '443': 'Port 443, HTTPS' }

/** Whether the host is a local port, for which approval is requested only after the command has exited. `host` then includes the port. */
const isLocalPort = ({ host, url }: NetworkEffect): boolean => host === url && host.startsWith('localhost:')

/** The full command, if the title is too short for it, and the meaning of each answer. */
function HostBody({ call, host }: Pick<NetworkHostTrayProps, 'call' | 'host'>): ReactNode {
  const command = longCommandOf(call)
  const port = /:(\d+)$/u.exec(host.url)?.[1] ?? ''
  const facts: readonly Fact[] = isLocalPort(host)
    ? [
        { term: 'It wants', fact: `Port ${port} of this machine, where a program listens. The command failed without it.` },
        {
          term: 'If allowed',
          fact: 'It runs again in a new copy. Changes that it makes through this port, such as in a database, take effect immediately.',
        },
        { term: 'If refused', fact: 'It does not run again, and the agent gets the failure.' },
      ]
    : [
        { term: 'It wants', fact: `${PORTS[port] ?? `Port ${port}`}. Every other host remains blocked.` },
        { term: 'It could', fact: 'Upload project files. Places where keys are kept are hidden from it.' },
        { term: 'If refused', fact: 'The command continues without this host and will probably fail.' },
      ]
  return (
    <>
      {command !== null && <CommandParts parts={[{ text: command }]} />}
      <Facts place="tray" facts={facts} />
    </>
  )
}
