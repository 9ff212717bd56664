import { deleteFileSpec } from '../../shared/tools/delete-file.ts'
import { type ToolView, writeFolding } from './view/tool-view.ts'

export const deleteFileView: ToolView = { spec: deleteFileSpec, folding: writeFolding }
