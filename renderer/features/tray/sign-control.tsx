import type { ReactNode } from 'react'
import { assertNever } from '../../../shared/lib/assert-never.ts'
import type { Signing } from '../../state/stores/approval-desk.ts'
import { HoldButton } from '../../ui/controls/signing/hold-button.tsx'
import { SignButton, type SignPhase } from '../../ui/controls/signing/sign-button.tsx'
import type { Hold } from '../../ui/hooks/use-hold.ts'

export interface SignControlProps {
  readonly words: string
  readonly destructive: boolean
  /** Why the request cannot be signed now. Null if it can. */
  readonly whyNot: string | null
  readonly signing: Signing
  readonly hold: Hold
  readonly onSign: () => void
  readonly onSignedShown: () => void
}

/** The signing button. For a destructive request it must be held down. Renders nothing when an answer can no longer count. */
export function SignControl({ words, destructive, whyNot, signing, hold, onSign, onSignedShown }: SignControlProps): ReactNode {
  if (signing.kind === 'void') return null
  if (destructive && signing.kind !== 'answered') {
    return (
      <HoldButton
        className="push"
        hold={hold}
        disabledReason={whyNot}
        keys="Mod+Enter"
        busy={signing.kind === 'sending' && signing.answer === 'sign'}
        busyWord="Signing"
      >
        {words}
      </HoldButton>
    )
  }
  return (
    <SignButton
      className="push"
      phase={phaseOf(signing)}
      armed={signing.kind === 'armed'}
      disabledReason={signing.kind === 'answered' ? null : whyNot}
      keys="Mod+Enter"
      busyWord="Signing"
      onSign={onSign}
      onSignedShown={onSignedShown}
    >
      {words}
    </SignButton>
  )
}

function phaseOf(signing: Exclude<Signing, { kind: 'void' }>): SignPhase {
  switch (signing.kind) {
    case 'unseen':
    case 'arming':
    case 'armed':
      return { kind: 'ready' }
    case 'sending':
      return signing.answer === 'sign' ? { kind: 'writing' } : { kind: 'ready' }
    case 'answered':
      return signing.answer === 'sign' ? { kind: 'signed', at: signing.at } : { kind: 'ready' }
    default:
      return assertNever(signing, 'signing')
  }
}
