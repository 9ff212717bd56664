import { resolve } from 'node:path'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import type { App } from '../../compose/app.ts'
import { type PlannedBranch, withBranch } from '../../compose/session-places/session-branch.ts'
import { folderToBringInto } from '../../../shared/session/settings/where.ts'
import { confirmed } from '../asking/terminal-lines.ts'
import { complain, failWith, noSession } from '../report/standard-output.ts'
import { visibleLine } from '../report/visible-text.ts'
import type { CommandPlace, CommandValues, CommandWork } from './command.ts'

interface Wanted {
  readonly id: string
  readonly name: string
  readonly folder: string
  readonly yes: boolean
  readonly json: boolean
}

export function branchCommand(
  [id, ...rest]: readonly string[],
  { branch: name = '', cwd = '', yes = false, json = false }: CommandValues,
  here: string,
): Result<CommandWork, string> {
  if (id === undefined || rest.length > 0) return failed('Use bring-in SESSION_ID --branch NAME, or bring-in last --branch NAME.')
  return ok(({ withApp, write }) => withApp((app) => branched(app, { id, name, folder: resolve(here, cwd), yes, json }, write)))
}

async function branched(app: App, { id, name, folder: typed, yes, json }: Wanted, write: CommandPlace['write']): Promise<number> {
  const real = await app.workspaces.find(typed)
  if (!real.ok) return failWith(real.failure)
  const folder = real.value
  const beside = app.store.sessions.list().filter((one) => one.parent === null && folderToBringInto(one.config, one.folder) === folder)
  const found = id === 'last' ? beside[0] : beside.find(({ sessionId }) => sessionId === id)
  if (!found)
    return failWith(
      noSession(
        id === 'last'
          ? `No session works beside ${folder} or in a clone of it.`
          : `No session ${id} works beside ${folder} or in a clone of it.`,
      ),
    )
  const done = await withBranch(app, { sessionId: found.sessionId, name }, (planned) => asked(planned, { yes, json }, write))
  return done.ok ? done.value : failWith(done.failure)
}

async function asked(planned: PlannedBranch, { yes, json }: Pick<Wanted, 'yes' | 'json'>, write: CommandPlace['write']): Promise<number> {
  const { name, commit, commits, top, title, make } = planned
  const what = `git branch ${name} ${commit.slice(0, 12)}`
  const about = `${commits === 1 ? '1 commit' : `${commits} commits`} with the work of “${visibleLine(title)}”`
  if (!yes && !(await confirmed(`Run “${what}” in ${visibleLine(top)}? It has ${about}. y or n: `))) {
    complain('No branch was made.\n')
    return 1
  }
  const made = await make()
  if (!made.ok) return failWith(made.failure)
  if (json) write(`${JSON.stringify({ branch: name, commit, commits, folder: top })}\n`)
  else write(`Made the branch ${name} at ${commit}: ${about}.\n`)
  return 0
}
