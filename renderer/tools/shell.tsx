import { bashSpec, shellSpec } from '../../shared/tools/shell.ts'
import { commandOutcome } from '../ui/calls/commands.ts'
import type { ToolView } from './view/tool-view.ts'

export const shellView: ToolView = { spec: shellSpec, outcome: commandOutcome }

export const bashView: ToolView = { spec: bashSpec, outcome: commandOutcome }
