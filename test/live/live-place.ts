import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { NO_REDACTOR } from '../places/support/no-redactor.ts'
import { createPlaces, type Places } from '../../main/places/places.ts'
import { fetchedWork } from '../../main/places/clone/changed-files.ts'
import type { MadePlaces } from '../../main/places/made/made-places.ts'
import type { MadePlace } from '../../main/places/made/made-place.ts'
import type { ExecutionEnvironment } from '../../main/agent/ports/execution-environment.ts'
import { parseAddress } from '../../shared/places/address.ts'

interface Tried {
  readonly made: MadePlaces
  readonly record: MadePlace
  readonly env: ExecutionEnvironment
}

/** Each returns what is wrong. Null if nothing is. */
const STEPS: readonly { readonly name: string; run(tried: Tried): Promise<string | null> }[] = [
  {
    name: 'it runs and has the folder with its uncommitted change',
    async run({ made, record, env }) {
      const state = (await made.list()).find(({ made: { name } }) => name === record.name)?.state
      if (state?.kind !== 'running') return JSON.stringify(state)
      const text = (await env.execCommand('cat a.txt')).stdout
      return text === 'committed\nchanged\n' ? null : JSON.stringify(text)
    },
  },
  {
    name: 'commands and edits work there',
    async run({ env }) {
      await env.writeFile('made.txt', 'made')
      const { stdout, exitCode } = await env.execCommand('cat made.txt; exit 7')
      return stdout === 'made' && exitCode === 7 ? null : `${exitCode}: ${stdout}`
    },
  },
  {
    name: 'what was changed is fetched',
    async run({ made, record }) {
      const kept = made.keptOf(record)
      await made.fetch(record)
      return kept !== null && (await fetchedWork(kept)) === null ? 'Nothing was fetched.' : null
    },
  },
  {
    name: 'after it was removed, the next call makes it again with what was fetched',
    async run({ made, record, env }) {
      await made.stop(record.name, false)
      // The call that was connected to the lost place fails and says so.
      await env.readFile('made.txt').catch(() => {})
      const { stdout } = await env.execCommand('cat made.txt')
      return stdout === 'made' ? null : JSON.stringify(stdout)
    },
  },
]

/** Tries a new place (`k8s://…`, `image:…` or `devcontainer:`) for real, and removes it. Needs a build (`npm run build`). */
export async function livePlace(base: string, typed: string, say: (line: string) => void): Promise<number> {
  const folder = join(base, 'project')
  mkdirSync(folder)
  const git = (...args: readonly string[]): void => {
    execFileSync('git', ['-C', folder, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args])
  }
  git('init', '--quiet')
  writeFileSync(join(folder, 'a.txt'), 'committed\n')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'first')
  writeFileSync(join(folder, 'a.txt'), 'committed\nchanged\n')
  const places = createPlaces({ redactor: NO_REDACTOR, mayInstall: () => Promise.resolve(false), madeIn: join(base, 'places') })
  try {
    return await tryPlace(places, { typed, folder, say })
  } finally {
    await places.close()
  }
}

interface Asked {
  readonly typed: string
  readonly folder: string
  readonly say: (line: string) => void
}

async function tryPlace(places: Places, { typed, folder, say }: Asked): Promise<number> {
  const made = await places.made()
  const planned = await made.plan(typed, folder)
  if (!planned.ok) return wrong(say, planned.failure.what)
  const record = planned.value
  const { place, folder: inside } = parseAddress(record.address)
  try {
    const asker = { answer: () => Promise.resolve(null), mayInstall: () => Promise.resolve(true), signal: new AbortController().signal }
    const reached = place && (await places.reach(place, { ...asker, report: say }))
    if (!reached?.ok) return wrong(say, reached?.failure.what ?? record.address)
    const env = reached.value.createEnvironment(inside)
    let failures = 0
    for (const { name, run } of STEPS) {
      const why = await run({ made, record, env }).catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
      say(why === null ? `✓ ${name}` : `✗ ${name}: ${why}`)
      if (why !== null) failures += 1
    }
    return failures === 0 ? 0 : 1
  } finally {
    const stopped = await made.stop(record.name, true)
    say(stopped.ok ? `Removed ${record.address}` : stopped.failure.what)
  }
}

function wrong(say: (line: string) => void, words: string): number {
  say(`✗ ${words}`)
  return 1
}
