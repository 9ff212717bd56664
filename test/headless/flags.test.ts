import { describe, expect, it } from 'vitest'
import { RUN_HELP, parseRunFlags } from '../../main/headless/flags.ts'

describe('Wrong use', () => {
  it.each(['--data', '--cwd', '--model', '--base-url'])('an empty %s is refused and named', (flag) => {
    expect(parseRunFlags([flag, '', 'task'], '/here')).toEqual({
      ok: false,
      failure: { help: false, message: `${flag} needs a value; it was empty.` },
    })
  })

  it.each(['', ' \n\t'])('an empty task %j is refused', (task) => {
    expect(parseRunFlags([task], '/here')).toEqual({
      ok: false,
      failure: { help: false, message: 'There is no task. Give it as the last argument, in quotes.' },
    })
  })

  it('a rehearsal takes no task', () => {
    expect(parseRunFlags(['--rehearse', 'task'], '/here')).toEqual({
      ok: false,
      failure: { help: false, message: '--rehearse plays its own task: leave yours out.' },
    })
  })

  it('the help says that commands are not confined under --approve all', () => {
    expect(RUN_HELP).toContain('commands are not confined (there is no sandbox yet)')
  })
})
