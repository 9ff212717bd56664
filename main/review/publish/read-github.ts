import { z } from 'zod'
import type { PullRequest, PullRequestCheck, ReviewerComment } from '../../../shared/api/changes/publish.ts'

const Check = z.looseObject({
  name: z.string().optional(),
  context: z.string().optional(),
  status: z.string().nullish(),
  state: z.string().nullish(),
  conclusion: z.string().nullish(),
  detailsUrl: z.string().nullish(),
  startedAt: z.string().nullish(),
  completedAt: z.string().nullish(),
})

const Request = z.looseObject({
  number: z.number(),
  title: z.string(),
  url: z.string(),
  state: z.string(),
  baseRefName: z.string(),
  body: z.string().nullish(),
  statusCheckRollup: z.array(Check).nullish(),
})

const Comment = z.looseObject({
  id: z.number(),
  user: z.looseObject({ login: z.string() }).nullish(),
  path: z.string(),
  line: z.number().nullish(),
  original_line: z.number().nullish(),
  body: z.string(),
  diff_hunk: z.string().nullish(),
})

/** Reads the output of `gh pr view`. Null if its format is unknown. */
export function githubRequest(json: string): PullRequest | null {
  const read = Request.safeParse(parsed(json))
  if (!read.success) return null
  const { number, title, url, state, baseRefName, body, statusCheckRollup } = read.data
  return {
    number,
    title,
    url,
    state: state === 'MERGED' ? 'merged' : state === 'CLOSED' ? 'closed' : 'open',
    base: baseRefName,
    description: body ?? '',
    checks: (statusCheckRollup ?? []).map(checkOf),
    comments: [],
  }
}

function checkOf({
  name,
  context,
  status,
  state,
  conclusion,
  detailsUrl,
  startedAt,
  completedAt,
}: z.infer<typeof Check>): PullRequestCheck {
  return {
    id: /\/job\/(\d+)/u.exec(detailsUrl ?? '')?.[1] ?? null,
    name: name ?? context ?? 'check',
    state: stateOf(conclusion || state || status || ''),
    startedAt: timeOf(startedAt),
    endedAt: timeOf(completedAt),
  }
}

function stateOf(word: string): PullRequestCheck['state'] {
  switch (word.toUpperCase()) {
    case 'SUCCESS':
      return 'passed'
    case 'SKIPPED':
    case 'NEUTRAL':
      return 'skipped'
    case 'FAILURE':
    case 'ERROR':
    case 'TIMED_OUT':
    case 'CANCELLED':
    case 'ACTION_REQUIRED':
    case 'STARTUP_FAILURE':
      return 'failed'
    default:
      return 'running'
  }
}

/** Reads the reviewers' comments on lines. Comments whose line no longer exists are left out. */
export function githubComments(json: string): readonly ReviewerComment[] {
  const list = z.array(z.unknown()).safeParse(parsed(json))
  if (!list.success) return []
  return list.data.flatMap((one) => {
    const read = Comment.safeParse(one)
    const line = read.data?.line ?? read.data?.original_line ?? null
    if (!read.success || line === null || line < 1 || read.data.body.trim() === '') return []
    const { id, user, path, body, diff_hunk: hunk } = read.data
    const quoted = (hunk?.split('\n').at(-1) ?? '').replace(/^[ +-]/u, '')
    return [{ id: String(id), author: user?.login ?? 'somebody', path, line, words: body, quoted }]
  })
}

/** Parses JSON. Null if the text is not valid JSON. */
export function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown
  } catch {
    return null
  }
}

/** Ms since 1970. GitHub writes year 1 for times that are not known yet. */
export function timeOf(text: string | null | undefined): number | null {
  const time = Date.parse(text ?? '')
  return time > 0 ? time : null
}
