import { editFileSpec, multiEditSpec } from '../../shared/tools/edit-file.ts'
import { type ToolView, writeFolding } from './view/tool-view.ts'

export const editFileView: ToolView = { spec: editFileSpec, folding: writeFolding }

export const multiEditView: ToolView = { spec: multiEditSpec, folding: writeFolding }
