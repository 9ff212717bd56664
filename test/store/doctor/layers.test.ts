import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createDoctor } from '../../../main/store/doctor/doctor.ts'
import type { ToolCallId } from '../../../shared/lib/ids.ts'
import { callEnd, callStart, CONFIG, input, opened } from '../support/stores.ts'
import { tempFolder } from '../support/temp-folder.ts'

const CALL = 'call' as ToolCallId

it('the doctor names a session beside its folder whose layer is missing, and a layer without a session', async () => {
  const dataFolder = tempFolder()
  const store = await opened(dataFolder, Date)
  const beside = { cwd: '/w', ...CONFIG, where: { kind: 'beside' } } as const
  const lost = store.sessions.create(beside)
  const kept = store.sessions.create(beside)
  store.sessions.create(beside)
  for (const id of [lost, kept]) store.log(id).append(input('Go'), callStart(CALL), callEnd(CALL, 'done'))
  for (const name of [kept, 's_gone']) mkdirSync(join(dataFolder, 'subagents', name), { recursive: true })
  store.close()
  const doctor = createDoctor({
    dataFolder,
    version: '1.0.0',
    now: Date.now,
    isShared: () => false,
    beforeRepair: async () => {},
    afterRepair: async () => {},
  })
  onTestFinished(() => doctor.close())
  const { report } = await doctor.run(false)
  const found = report?.findings.filter(({ kind }) => kind === 'layer') ?? []
  expect(found.map(({ code, sessionId, isHarmless }) => [code, sessionId, isHarmless])).toEqual([
    ['doctor_layer_missing', lost, false],
    ['doctor_layer_left', null, true],
  ])
})
