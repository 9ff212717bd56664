import { readOutputSpec } from '../../shared/tools/read-output.ts'
import type { ToolView } from './view/tool-view.ts'

export const readOutputView: ToolView = { spec: readOutputSpec, unfolds: 'what was read' }
