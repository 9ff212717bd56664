import type { ModeEffect } from '../../shared/session/effects.ts'
import { exitPlanModeSpec } from '../../shared/tools/exit-plan-mode.ts'
import type { Tool } from '../agent/ports/tool.ts'
import { defineTool } from './define/define-tool.ts'
import { rejected } from './define/outcome.ts'

/** The only call with effects that can be signed in mode `plan`. Once signed, the session changes to mode `ask`. */
export function createExitPlanModeTool(): Tool {
  return defineTool(exitPlanModeSpec, ({ plan = null }, { session }) => {
    const mode = session.mode()
    if (mode !== 'plan') return Promise.resolve(rejected(`The approval mode is ${mode}, not plan. Continue with the work.`))
    const effect: ModeEffect = { kind: 'mode', to: 'ask', plan }
    return Promise.resolve({
      kind: 'ready',
      effects: [effect],
      commit: (run) => {
        run.session.setMode(effect.to)
        return Promise.resolve({
          output: 'The developer agreed to the plan. Start the work.',
          isError: false,
          details: null,
        })
      },
    })
  })
}
