import type { ReactNode } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import type { NoticeItem } from '../../../shared/session/state.ts'
import { resumeTurn, settle } from '../../state/actions.ts'
import { useDesk } from '../../state/desk-context.ts'
import type { EarlyEnd } from '../../state/early-end.ts'
import { Button } from '../../ui/controls/button.tsx'
import { clockTime } from '../../ui/format.ts'
import { TrayFrame } from '../../ui/ledger/tray-frame.tsx'
import { Facts } from '../../ui/notices/facts.tsx'

const INTERRUPTED: Trouble = {
  code: 'interrupted',
  what: 'Countersign was ended while this turn was under way.',
  kept: 'Everything up to the last finished step. A command that was running may have had effects; nothing was run again.',
  todo: 'Resume the turn from here, or send a new message.',
}
const LIMIT: Trouble = {
  code: 'turn_limit',
  what: 'The limit of rounds for one request is reached.',
  kept: 'Everything that was done so far.',
  todo: 'Resume to give it as many rounds again, or send a message.',
}
/** Troubles that a key, not another attempt, mends. */
const KEY_CODES: ReadonlySet<string> = new Set(['authentication', 'no_key', 'access_denied'])

export interface TroubleTrayProps {
  readonly sessionId: SessionId
  readonly ended: EarlyEnd['ended']
  readonly notice: NoticeItem | null
}

/** What ended the turn: what happened, what was kept, what to do, and the way on. */
export function TroubleTray({ sessionId, ended, notice }: TroubleTrayProps): ReactNode {
  const desk = useDesk()
  const trouble = notice?.trouble ?? (ended === 'limit' ? LIMIT : INTERRUPTED)
  const needsKey = KEY_CODES.has(trouble.code)
  return (
    <TrayFrame
      tone={ended === 'error' ? 'error' : 'needs'}
      mark={ended === 'error' ? 'failed' : 'proposed'}
      title={TITLES[ended]}
      headEnd={notice && <span>{clockTime(notice.at)}</span>}
      foot={
        <>
          <Button variant="quiet" onPress={() => settle(desk, sessionId)}>
            Leave it here
          </Button>
          {needsKey && (
            <Button variant="preferred" className="push" onPress={() => desk.view.setState({ page: 'settings' })}>
              Open providers and keys
            </Button>
          )}
          <Button
            variant={needsKey ? 'plain' : 'preferred'}
            className={needsKey ? undefined : 'push'}
            onPress={() => resumeTurn(desk, sessionId)}
          >
            {ended === 'error' ? 'Ask again from here' : 'Resume from here'}
          </Button>
        </>
      }
    >
      <Facts
        place="tray"
        facts={[
          { term: 'What happened', fact: trouble.what },
          { term: 'What was kept', fact: trouble.kept },
          { term: 'What to do', fact: trouble.todo },
        ]}
      />
    </TrayFrame>
  )
}

const TITLES = { error: 'The turn ended early', interrupted: 'The turn was interrupted', limit: 'The turn is at its limit' } as const
