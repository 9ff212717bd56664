import type { ReactNode } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { useRequestFiles, useStepTexts } from '../../state/hooks/changes/use-step-texts.ts'
import { TrayFrame } from '../../ui/ledger/tray-frame.tsx'
import { RequestBody, type RequestBodyProps, RequestTitle } from './request-body.tsx'

interface RecordedRequestProps {
  readonly sessionId: SessionId
  readonly call: CallItem
  readonly wordsOf: RequestBodyProps['wordsOf']
}

/** A request that was waiting for the user at this moment of a replay. It cannot be answered. */
export function RecordedRequest({ sessionId, call, wordsOf }: RecordedRequestProps): ReactNode {
  const texts = useStepTexts(sessionId, useRequestFiles(sessionId, call))
  return (
    <TrayFrame mark="pending" number={call.step} title={<RequestTitle call={call} />} aside="waited for you">
      <RequestBody call={call} texts={texts} review={null} wordsOf={wordsOf} />
    </TrayFrame>
  )
}
