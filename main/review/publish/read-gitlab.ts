import { z } from 'zod'
import type { PullRequest, PullRequestCheck } from '../../../shared/api/changes/publish.ts'
import { parsed, timeOf } from './read-github.ts'

const Request = z.looseObject({
  iid: z.number(),
  title: z.string(),
  web_url: z.string(),
  state: z.string(),
  target_branch: z.string(),
  description: z.string().nullish(),
})

const Pipeline = z.looseObject({
  jobs: z.array(
    z.looseObject({
      id: z.number(),
      name: z.string(),
      status: z.string(),
      started_at: z.string().nullish(),
      finished_at: z.string().nullish(),
    }),
  ),
})

/** Reads the output of `glab mr view`. Null if its format is unknown. */
export function gitlabRequest(json: string): PullRequest | null {
  const read = Request.safeParse(parsed(json))
  if (!read.success) return null
  const { iid, title, web_url: url, state, target_branch: base, description } = read.data
  return {
    number: iid,
    title,
    url,
    state: state === 'merged' ? 'merged' : state === 'closed' ? 'closed' : 'open',
    base,
    description: description ?? '',
    checks: [],
    comments: [],
  }
}

/** Reads the output of `glab ci get`. */
export function gitlabChecks(json: string): readonly PullRequestCheck[] {
  const read = Pipeline.safeParse(parsed(json))
  if (!read.success) return []
  return read.data.jobs.map(({ id, name, status, started_at: startedAt, finished_at: endedAt }) => ({
    id: String(id),
    name,
    state: stateOf(status),
    startedAt: timeOf(startedAt),
    endedAt: timeOf(endedAt),
  }))
}

function stateOf(word: string): PullRequestCheck['state'] {
  if (word === 'success') return 'passed'
  if (word === 'failed' || word === 'canceled') return 'failed'
  return word === 'skipped' || word === 'manual' ? 'skipped' : 'running'
}
