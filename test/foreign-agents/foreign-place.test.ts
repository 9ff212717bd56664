import { expect, test } from 'vitest'
import type { CommandsInLayer } from '../../main/agent/ports/layers.ts'
import { foreignPlace } from '../../main/foreign-agents/foreign-place.ts'
import type { KnownAgent } from '../../main/foreign-agents/known-agents.ts'
import { createHostQuestions } from '../../main/host-process/in-layer/host-questions.ts'
import { disposable } from '../../shared/lib/disposable.ts'
import type { Workspace } from '../../main/workspace/workspaces.ts'

test('the agent reaches its own hosts between steps, its steps end no running program, and each turn releases the hosts of the last', async () => {
  const questions = createHostQuestions(() => {})
  const kept: boolean[] = []
  let open = 0
  const begin: CommandsInLayer['begin'] = (onHost, options) => {
    kept.push(options?.keepsRunning ?? false)
    const decided = questions.decide(onHost)
    open += 1
    const ended = disposable(() => {
      open -= 1
      decided.dispose()
    })
    return Promise.resolve({ blocked: decided.blocked, ...ended })
  }
  const workspace = { inside: { begin, comparison: {}, watch: () => disposable(() => {}) } } as unknown as Workspace
  const place = foreignPlace(workspace, { hosts: ['own.example'] } as unknown as KnownAgent)
  if (!place) throw new Error('There is no place.')
  const reaches = (host: string): Promise<boolean> => questions.onHost({ host, port: 443 })
  for (const _turn of [1, 2]) {
    await place.openHosts()
    const step = await place.inside.begin(() => Promise.resolve(true))
    expect([await reaches('own.example'), await reaches('other.example')]).toEqual([true, true])
    step.dispose()
    expect([await reaches('own.example'), await reaches('other.example')]).toEqual([true, false])
    expect(place.asked.hasOthers()).toBe(true)
    expect(place.asked.take()).toEqual([
      { host: 'own.example:443', answer: 'own' },
      { host: 'other.example:443', answer: 'allowed' },
      { host: 'other.example:443', answer: 'refused' },
    ])
    expect(place.asked.hasOthers()).toBe(false)
  }
  expect(open).toBe(1)
  expect(kept).toEqual([false, true, false, true])
})
