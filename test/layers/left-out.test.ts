import { chmodSync, existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { movedFolder } from '../../main/layers/moved-folder.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { openFamily } from '../subagents/support/family.ts'
import { answer, beside, broughtIn, changedPaths, once, request, run, text } from './support/beside.ts'

const SPECIAL = 'ln -s "$(printf "\\\\376")" link; mkfifo pipe; mkdir empty'
const WORDS = 'Not brought in, because only files and links are: empty (empty folder), link (link whose target is not UTF-8), pipe (pipe).'

describe.skipIf(hasNoCopies)('what is not brought in from a layer', { timeout: 60_000 }, () => {
  it('is named in the request and in the changes of the session', async () => {
    const family = await beside(once(`${SPECIAL}; echo new > new.txt`))
    await family.ask()
    const session = await broughtIn(family)
    const open = await request(session)
    expect([changedPaths(open), open.copy?.outcome?.notes]).toEqual([['new.txt'], [WORDS]])
    expect((await movedFolder(family.app, family.parent.sessionId)).leftOut).toEqual([WORDS])
    await answer(session, { kind: 'sign' })
    expect([text(family, 'new.txt'), existsSync(join(family.folder, 'pipe'))]).toEqual(['new\n', false])
  })

  it('is named if there is nothing else', async () => {
    const family = await beside(once(SPECIAL))
    await family.ask()
    const session = await broughtIn(family)
    await session.running()?.idle()
    expect(JSON.stringify(session.snapshot(9).items)).toContain(`there is nothing to bring in. ${WORDS}`)
  })

  it('is named in a subagent’s report, with and without files', async () => {
    for (const more of ['', '; echo new > new.txt']) {
      const family = await openFamily(
        ({ who, round }) => {
          if (who === 'CHILD-A') return round === 0 ? run(`${SPECIAL}${more}`) : say('Made.')
          return round === 0 ? calls(call('task', { agent_type: 'code', prompt: 'CHILD-A' })) : say('Finished.')
        },
        { mode: 'auto', prepare: ({ folder }) => writeFileSync(join(folder, 'a.txt'), 'a') },
      )
      await family.ask()
      expect(JSON.stringify(family.model.requests.at(-1)?.body.messages)).toContain(WORDS)
    }
  })

  it('set-id bits of the folder’s own file stay when its change is brought in', async () => {
    const family = await beside(once('echo changed > a.txt'), ({ folder }) => chmodSync(join(folder, 'a.txt'), 0o6755))
    await family.ask()
    await answer(await broughtIn(family), { kind: 'sign' })
    expect([text(family, 'a.txt'), (statSync(join(family.folder, 'a.txt')).mode & 0o7777).toString(8)]).toEqual(['changed\n', '6755'])
  })
})
