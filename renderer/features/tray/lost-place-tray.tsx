import type { ReactNode } from 'react'
import type { LostMachine } from '../../../shared/places/places-api.ts'
import { useDesk } from '../../state/desk-context.ts'
import { Button } from '../../ui/controls/button.tsx'
import { clockTime, counting } from '../../ui/format.ts'
import { nextTryWords } from '../../state/views/lost-place.ts'
import { useElapsed } from '../../ui/hooks/use-elapsed.ts'
import { TrayFrame } from '../../ui/ledger/tray-frame.tsx'
import { Facts } from '../../ui/notices/facts.tsx'

/** Failures of `ssh` that only the user can resolve, by answering its question. */
const WANTS_USER = /Permission denied|Host key verification failed/u

/** Says that the connection to the session's machine is lost. The user need not do anything, unless `ssh` asks a question. */
export function LostPlaceTray({ lost }: { readonly lost: LostMachine }): ReactNode {
  const desk = useDesk()
  const { place, name, since, why } = lost
  const elapsed = useElapsed(since)
  const wantsUser = WANTS_USER.test(why)
  // If Countersign itself does not answer, the status strip says so.
  const stop = (): void => void desk.connection.client?.places.giveUp({ place }).catch(() => {})
  const retry = (): void => void desk.connection.client?.places.retry({ place }).catch(() => {})
  return (
    <TrayFrame
      tone="error"
      mark="failed"
      title={`No connection to ${name}`}
      aside={`since ${clockTime(since)}`}
      headEnd={<span className="num">{nextTryWords(lost, elapsed)}</span>}
      foot={
        <>
          <Button variant="quiet" onPress={stop}>
            Stop trying
          </Button>
          {wantsUser && (
            <Button className="push" onPress={() => desk.view.setState({ overlay: { kind: 'place' } })}>
              Answer ssh…
            </Button>
          )}
          <Button variant="preferred" className={wantsUser ? undefined : 'push'} onPress={retry}>
            Reconnect now
          </Button>
        </>
      }
    >
      <Facts
        place="tray"
        facts={[
          { term: 'What happened', fact: `${name} has not answered for ${counting(elapsed)}. ${why}` },
          {
            term: 'Goes on there',
            fact: 'What was running, for ten minutes without a connection. Its output is kept, and nothing new starts.',
          },
          { term: 'What was kept', fact: 'The ledger, everything signed, and your draft. The agent waits and costs nothing.' },
          {
            term: 'What to do',
            fact: wantsUser ? `Choose ${name} in “Answer ssh…”.` : 'Nothing. It tries again until you stop it, and goes on where it was.',
          },
        ]}
      />
    </TrayFrame>
  )
}
