import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMadePlaces } from '../../main/places/made/made-places.ts'
import { NO_SSH } from '../../main/places/programs.ts'
import { runRemote } from '../../main/places/run-remote.ts'
import { parseAddress, type Place } from '../../shared/places/address.ts'
import { type FakeCluster, startFakeCluster } from '../support/kubernetes/fake-cluster.ts'
import { changedRepository, newFolder } from './support/made.ts'

const missing = ['/usr/bin/kubectl', '/usr/bin/bwrap'].find((file) => !existsSync(file)) ?? null
const MANY = 50

describe.skipIf(missing !== null)('many pods', { timeout: 900_000 }, () => {
  let cluster: FakeCluster
  const made = createMadePlaces({ folder: newFolder('records'), now: Date.now })
  const placeOf = (address: string): Place => {
    const { place } = parseAddress(address)
    if (place === null) throw new Error(address)
    return place
  }
  beforeAll(async () => {
    cluster = await startFakeCluster()
    process.env['KUBECONFIG'] = cluster.kubeconfig
  })
  afterAll(async () => {
    made.close()
    await cluster?.close()
  })

  test(`${MANY} sessions at once each have a pod with their own clone and changes, and the quota refuses one more`, async () => {
    const { folder } = changedRepository()
    cluster.setFaults({ quota: MANY })
    const planned = await Promise.all(Array.from({ length: MANY + 1 }, () => made.plan('k8s:///?image=test:1', folder)))
    const records = planned.map((one) => (one.ok ? one.value : expect.fail(one.failure.what)))
    const ensured = await Promise.all(records.map(({ address }) => made.ensure(placeOf(address), { report: () => {} })))
    expect(ensured.filter(({ ok }) => ok)).toHaveLength(MANY)
    expect(ensured.filter(({ ok }) => !ok)).toMatchObject([{ failure: { code: 'pod_over_quota' } }])
    const running = records.filter(({ name }) => cluster.names().includes(name))
    const seen = await Promise.all(
      running.map(async ({ name, address }) => {
        const line = `cd ${parseAddress(address).folder} && echo ${name} >> a.txt && tail -n 2 a.txt`
        return (await runRemote(placeOf(address), line, NO_SSH)).stdout
      }),
    )
    expect(seen).toEqual(running.map(({ name }) => `changed\n${name}\n`))
    await Promise.all(running.map(({ name }) => made.stop(name, true)))
    expect(cluster.names()).toEqual([])
  })
})
