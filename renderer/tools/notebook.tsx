import { notebookEditSpec, notebookReadSpec } from '../../shared/tools/notebook.ts'
import { type ToolView, writeFolding } from './view/tool-view.ts'

export const notebookReadView: ToolView = { spec: notebookReadSpec, unfolds: 'what was read' }

export const notebookEditView: ToolView = { spec: notebookEditSpec, folding: writeFolding }
