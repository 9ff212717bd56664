import { listDirSpec } from '../../shared/tools/built-in/list-dir.ts'
import { detailsOf } from '../../shared/tools/spec/tool-spec.ts'
import { counted } from '../ui/format.ts'
import type { ToolView } from './view/tool-view.ts'

export const listDirView: ToolView = {
  spec: listDirSpec,
  outcome(call) {
    const details = detailsOf(listDirSpec, call)
    return details && `${counted(details.entries, 'entry', 'entries')}${details.capped ? ' or more' : ''}`
  },
  unfolds: 'the entries',
}
