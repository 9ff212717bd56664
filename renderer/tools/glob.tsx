import type { ReactNode } from 'react'
import { globSpec } from '../../shared/tools/built-in/glob.ts'
import { detailsOf } from '../../shared/tools/spec/tool-spec.ts'
import { counted } from '../ui/format.ts'
import { Well } from '../ui/text/well.tsx'
import { CallOutput } from './view/call-output.tsx'
import type { BodyProps, ToolView } from './view/tool-view.ts'

export const globView: ToolView = {
  spec: globSpec,
  outcome(call) {
    const details = detailsOf(globSpec, call)
    return details && (details.total === 0 ? 'nothing found' : `${details.capped ? 'more than ' : ''}${counted(details.total, 'file')}`)
  },
  folding: (call) => ((detailsOf(globSpec, call)?.paths.length ?? 0) > 0 ? 'closed' : 'none'),
  unfolds: 'the files',
  Body: Paths,
}

function Paths({ call, sessionId }: BodyProps): ReactNode {
  const details = detailsOf(globSpec, call)
  if (details === null) return <CallOutput call={call} sessionId={sessionId} label="Files" />
  const more = details.total - details.paths.length
  return <Well label="Files" text={details.paths.join('\n')} foot={more > 0 ? <span>{counted(more, 'file')} more</span> : undefined} />
}
