import { type ReactNode, useState } from 'react'
import { useStore } from 'zustand'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { ProviderFacts } from '../../../shared/api/settings.ts'
import type { Usage } from '../../../shared/session/content.ts'
import type { SessionConfigured, Trouble } from '../../../shared/session/events.ts'
import type { NoticeItem } from '../../../shared/session/state.ts'
import {
  askForAddress,
  askForKey,
  agentIn,
  askForLimit,
  resumeTurn,
  resumeWith,
  resumeWithSettings,
  dismissEarlyEnd,
} from '../../state/commands/actions.ts'
import { AGENT_SIGN_IN } from '../../../shared/agents/other-agents-api.ts'
import { useDesk, useOfflineReason, useSession } from '../../state/desk-context.ts'
import { type EarlyEnd, wantsKey } from '../../state/views/early-end.ts'
import { useLocalServers } from '../../state/hooks/use-local-servers.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Select } from '../../ui/controls/select/select.tsx'
import { modelOptions } from '../../ui/model-options.ts'
import { clockTime } from '../../ui/format.ts'
import { type RaisedLimit, raisedLimit } from './raised-limit.ts'
import { TrayFrame } from '../../ui/ledger/tray-frame.tsx'
import { Facts } from '../../ui/notices/facts.tsx'
import { AgentSignIns, useSignedOutAgent } from './agent-sign-ins.tsx'

const ADD_KEY = 'Add a key'
const REPLACE_KEY = 'Replace the key'
const RESUME = 'Resume'
const OPEN_SETTINGS = 'Open settings'
const SIGN_IN = `Sign in with a button below: it opens a terminal in which the command is typed. Press Enter there, sign in, then press “${RESUME}”.`

const INTERRUPTED: Trouble = {
  code: 'interrupted',
  what: 'Countersign closed while this turn was running.',
  kept: 'Everything up to the last finished step is kept. A command that was running may or may not have finished. Nothing was run again.',
  todo: `Press “${RESUME}”, or send a new message.`,
}
const LIMIT: Trouble = {
  code: 'turn_limit',
  what: 'The turn has reached its limit of rounds.',
  kept: 'Everything done so far is kept.',
  todo: `Press “${RESUME}” to continue with the same limit again, or send a message.`,
}
export interface TroubleTrayProps {
  readonly sessionId: SessionId
  readonly ended: EarlyEnd['ended']
  readonly notice: NoticeItem | null
}

/** Why the turn ended: what happened, what was kept, what to do, and a button for this action. */
export function TroubleTray({ sessionId, ended, notice }: TroubleTrayProps): ReactNode {
  const desk = useDesk()
  const trouble = notice?.trouble ?? (ended === 'limit' ? LIMIT : INTERRUPTED)
  const provider = useSession(sessionId, ({ config }) => config.provider, null)
  const needsKey = wantsKey({ ended, notice })
  const key = useStore(desk.settings, ({ settings }) => settings?.providers.find((one) => one.provider === provider)?.key)
  // An optional key that is not set also counts, because the server may turn out to require one.
  const isUnset = key !== 'set'
  const isMissing = needsKey && isUnset
  const isUsedUp = trouble.code === 'session_budget'
  const lacksAddress = trouble.code === 'base_url'
  const signedOut = useSignedOutAgent(sessionId, trouble.code === AGENT_SIGN_IN)
  const raised = useRaisedLimit(sessionId, notice)
  const isPlain = needsKey || isUsedUp || lacksAddress || raised !== null
  return (
    <TrayFrame
      tone={ended === 'error' ? 'error' : 'needs'}
      mark={ended === 'error' ? 'failed' : 'note'}
      title={isUsedUp ? 'The session’s budget is used up' : TITLES[ended]}
      headEnd={notice && <span>{clockTime(notice.at)}</span>}
      foot={
        <>
          <Button variant="quiet" onPress={() => dismissEarlyEnd(desk, sessionId)}>
            Dismiss
          </Button>
          <OtherModel sessionId={sessionId} />
          {signedOut && <AgentSignIns sessionId={sessionId} agent={signedOut} />}
          {needsKey && (
            <Button variant="preferred" className="push" onPress={() => provider && askForKey(desk, provider)}>
              {isUnset ? ADD_KEY : REPLACE_KEY}
            </Button>
          )}
          {!isMissing && (
            <Button
              variant={isPlain ? 'plain' : 'preferred'}
              className={needsKey ? undefined : 'push'}
              onPress={() => resumeTurn(desk, sessionId)}
            >
              {RESUME}
            </Button>
          )}
          {(isUsedUp || lacksAddress) && (
            <Button
              variant={raised ? 'plain' : 'preferred'}
              onPress={() => (lacksAddress ? provider && askForAddress(desk, provider) : askForLimit(desk))}
            >
              {OPEN_SETTINGS}
            </Button>
          )}
          {raised && (
            <Button variant="preferred" onPress={() => resumeWithSettings(desk, sessionId, raised.change)}>
              Raise to {raised.words} and resume
            </Button>
          )}
        </>
      }
    >
      <Facts
        place="tray"
        facts={[
          { term: 'What happened', fact: trouble.what },
          { term: 'What was kept', fact: trouble.kept },
          { term: 'What to do', fact: signedOut ? SIGN_IN : todoHere(trouble, isUnset, raised) },
        ]}
      />
    </TrayFrame>
  )
}

/** A larger limit to go on with. Null if no limit of the settings ended the turn. */
function useRaisedLimit(sessionId: SessionId, notice: NoticeItem | null): RaisedLimit | null {
  const settings = useStore(useDesk().settings, (state) => state.settings)
  const usage = useSession<Usage | null>(sessionId, (session) => session.usage, null)
  const costUsd = useSession<number | null>(sessionId, (session) => session.costUsd, null)
  if (!notice?.limit || settings === null || usage === null) return null
  return raisedLimit(notice.limit, settings.settings, { usage, costUsd })
}

const NO_PROVIDERS: readonly ProviderFacts[] = []

/** Goes on with another model. Nothing is shown if no other model can be used. */
function OtherModel({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const desk = useDesk()
  const offline = useOfflineReason()
  const config = useSession<SessionConfigured | null>(sessionId, (session) => session.config, null)
  const providers = useStore(desk.settings, ({ settings }) => settings?.providers ?? NO_PROVIDERS)
  const [isLooking, setLooking] = useState(false)
  const { found } = useLocalServers(isLooking)
  // A third-party agent has its own models.
  if (config === null || config.provider === 'rehearsal' || agentIn(config.where) !== null) return null
  const { options, selected } = modelOptions(config, providers, found ?? [])
  const others = options.filter(({ id }) => id !== selected)
  if (others.length === 0) return null
  return (
    <Select
      variant="field"
      label="Go on with another model"
      whileEmpty="Go on with another model"
      selected={null}
      options={others}
      onOpening={() => setLooking(true)}
      onSelect={(id) => {
        const chosen = others.find((option) => option.id === id)
        if (chosen) resumeWith(desk, sessionId, chosen.asks)
      }}
      disabledReason={offline}
    />
  )
}

/** What to do, with the name of the button to press if there is one. */
function todoHere({ code, todo }: Trouble, isMissing: boolean, raised: RaisedLimit | null): string {
  if (isMissing && (code === 'no_key' || code === 'authentication'))
    return `Press “${ADD_KEY}”, then send the message again or a different one.`
  if (raised) {
    const again = code === 'session_budget' ? '' : ` Or press “${RESUME}” to continue with the same limit again.`
    return `Press “Raise to ${raised.words} and resume”. This changes the limit in the settings.${again}`
  }
  if (code === 'session_budget') return `Press “${OPEN_SETTINGS}” and set a larger budget, then press “${RESUME}”.`
  if (code === 'base_url') return `Press “${OPEN_SETTINGS}” and correct the address, then press “${RESUME}”.`
  if (code === 'turn_limit') return `Press “${RESUME}” to continue with the same limit again, or send a message.`
  return code === 'authentication' || code === 'no_key' ? `Press “${REPLACE_KEY}”, then “${RESUME}”.` : todo
}

const TITLES = { error: 'The turn ended early', interrupted: 'The turn was interrupted', limit: 'The turn has reached its limit' } as const
