import { exitPlanModeSpec } from '../../shared/tools/exit-plan-mode.ts'
import { OutputNote } from './view/output-note.tsx'
import type { ToolView } from './view/tool-view.ts'

export const exitPlanModeView: ToolView = { spec: exitPlanModeSpec, Body: OutputNote }
