import type { ApprovalMode } from '../../../shared/session/settings/approval-mode.ts'

/** The section of `--help` about approval. */
export const APPROVAL_HELP = `Approval
  --mode MODE          what needs no approval (default: ask). In a terminal the run asks about the rest, otherwise it
                       refuses the rest:
                         plan          reading; commands run in a copy that is thrown away
                         ask           reading, and commands that changed nothing in their copy
                         accept-edits  also edits in the folder except deletions, and the changes that commands made
                                       in their copy
                         auto          also background commands, confined to the folder
                         full          also deletions, and all commands, which run for real: they can read, change and
                                       send whatever your user can
                       Control files, files outside the folder, web requests and irrecoverable commands for real need
                       approval in every mode but plan, which denies them
  --approve WHAT       none, edits or all: another name for --mode ask, accept-edits or full
  --course COURSE      plain (default), plan (begins with a plan to sign), test-first (then tests must fail before anything
                       else changes), review (then each step waits for your review)
  --sandbox WHEN       auto (default): commands run in a copy of the folder first, without network. If no copy can be
                       made, commands run for real, and those that do more than read need approval except in full mode
                       require: exit code 1 if no copy can be made; no command runs for real, whatever the mode
                       off: as if no copy could be made
  --pause              if nobody can sign, leaves the request open and exits with code 3 instead of refusing it
  --answer REQUEST_ID  answers the questions of an open request (one argument each: a number, a label or any text), or
                       signs or refuses it, then continues until the next request. --note TEXT tells the agent why, or is
                       the condition of a signed plan. REQUEST_ID is the approvalId of its APPROVAL_REQUESTED`

/** The values of `--approve`. */
export const APPROVE = ['none', 'edits', 'all'] as const

/** The mode for which `--approve` stands. */
export const MODE_OF_APPROVE: Readonly<Record<(typeof APPROVE)[number], ApprovalMode>> = { none: 'ask', edits: 'accept-edits', all: 'full' }
