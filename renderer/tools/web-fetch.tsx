import { detailsOf } from '../../shared/tools/spec/call-details.ts'
import { webFetchSpec } from '../../shared/tools/web-fetch.ts'
import { byteSize } from '../ui/format.ts'
import type { ToolView } from './view/tool-view.ts'

export const webFetchView: ToolView = {
  spec: webFetchSpec,
  outcome(call) {
    const details = detailsOf(webFetchSpec, call)
    return details && `${details.status}, ${byteSize(details.bytes)}`
  },
  unfolds: 'the page',
}
