import { z } from 'zod'
import { SessionId } from '../../lib/ids.ts'
import type { Trouble } from '../../session/events.ts'
import { command, returns } from '../../wire/contract.ts'
import type { Done } from '../sessions.ts'

/** The programs that open pull requests: GitHub's and GitLab's. */
type ForgeProgram = 'gh' | 'glab'

export interface PullRequestCheck {
  /** Identifies the run, for its log. Null if its log cannot be read here. */
  readonly id: string | null
  readonly name: string
  readonly state: 'passed' | 'failed' | 'running' | 'skipped'
  /** Ms since 1970. Null if unknown. */
  readonly startedAt: number | null
  readonly endedAt: number | null
}

/** A reviewer's comment on a line. */
export interface ReviewerComment {
  readonly id: string
  readonly author: string
  /** Path relative to the top folder of the repository. */
  readonly path: string
  /** Line of the newer version, from 1. */
  readonly line: number
  readonly words: string
  /** The line itself. Empty if unknown. */
  readonly quoted: string
}

export interface PullRequest {
  readonly number: number
  readonly title: string
  readonly url: string
  readonly state: 'open' | 'closed' | 'merged'
  /** The branch into which the pull request is merged. */
  readonly base: string
  readonly description: string
  readonly checks: readonly PullRequestCheck[]
  readonly comments: readonly ReviewerComment[]
}

export type PullRequestState =
  | { readonly kind: 'no_program' }
  | { readonly kind: 'none'; readonly program: ForgeProgram }
  | { readonly kind: 'found'; readonly program: ForgeProgram; readonly request: PullRequest }
  | { readonly kind: 'failed'; readonly trouble: Trouble }

export type DraftedText = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly trouble: Trouble }

const session = z.object({ sessionId: SessionId })

/** Publishing signed changes: commit, push, pull request. Everything runs as the user, in the session's place. */
export const publishApi = {
  /** Stages everything that git lists as changed. */
  stageAll: command({ input: session, output: returns<Done>() }),
  /**
   * Asks the session's model for a text: a commit message for the staged changes, or a title (first line) and description for a pull request
   * with the commits that are not in the default branch.
   */
  draft: command({ input: session.extend({ of: z.enum(['commit', 'pull-request']) }), output: returns<DraftedText>() }),
  /** Pushes the current branch, and sets its upstream if it has none. Fails if git asks for a password. */
  push: command({ input: session, output: returns<Done>() }),
  /** The pull request of the current branch, with its checks and the comments of reviewers. */
  pullRequest: command({ input: session, output: returns<PullRequestState>() }),
  /** Opens a pull request for the current branch, which must be pushed. */
  open: command({
    input: session.extend({ title: z.string().min(1).max(300), description: z.string().max(60_000) }),
    output: returns<Done>(),
  }),
  /** The output of the failed steps of a check, at most 400 lines from its first failure on. */
  failedLines: command({
    input: session.extend({ id: z.string().regex(/^\d{1,30}$/u) }),
    output: returns<{ readonly ok: true; readonly lines: readonly string[] } | { readonly ok: false; readonly trouble: Trouble }>(),
  }),
}
