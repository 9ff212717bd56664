import { applyPatchSpec } from '../../shared/tools/apply-patch.ts'
import { type ToolView, writeFolding } from './view/tool-view.ts'

export const applyPatchView: ToolView = { spec: applyPatchSpec, folding: writeFolding }
