import { writeFileSpec } from '../../shared/tools/write-file.ts'
import { type ToolView, writeFolding } from './view/tool-view.ts'

export const writeFileView: ToolView = { spec: writeFileSpec, folding: writeFolding }
