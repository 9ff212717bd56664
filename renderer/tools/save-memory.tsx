import { saveMemorySpec } from '../../shared/tools/save-memory.ts'
import { type ToolView, writeFolding } from './view/tool-view.ts'

export const saveMemoryView: ToolView = { spec: saveMemorySpec, folding: writeFolding }
