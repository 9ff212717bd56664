import { describe, expect, it } from 'vitest'
import { commandFragment, type DeepLink, fragmentOf, shownFragment } from '../../../main/electron/launch/deep-link.ts'
import { type AskedToShow, MENU_COMMANDS } from '../../../shared/api/app.ts'
import { onAskedToShow } from '../../../renderer/wire/url-hash-requests.ts'
import { Emitter } from '../../../shared/lib/emitter.ts'

class FakeAddress {
  hash: string
  readonly changes = new Emitter<void>()
  constructor(hash: string) {
    this.hash = hash
  }
  fragment = (): string => this.hash
  forgetFragment = (): void => {
    this.hash = ''
  }
  onChange = this.changes.event
  becomes(hash: string): void {
    this.hash = hash
    this.changes.fire()
  }
}

const heard = (hash: string, ...later: readonly string[]): readonly [readonly AskedToShow[], string] => {
  const address = new FakeAddress(hash)
  const all: AskedToShow[] = []
  onAskedToShow((asked) => all.push(asked), address)
  for (const one of later) address.becomes(one)
  return [all, address.hash]
}

describe('when the main process asks a page to show something', () => {
  it.each<DeepLink>([
    { kind: 'folder', folder: '/code/my project+ü&x=1#y%20' },
    { kind: 'folder', folder: 'C:\\work\\project' },
    { kind: 'session', sessionId: 's_abc-1' },
  ])('%j arrives unchanged and is removed from the address', (link) => {
    const asked = link.kind === 'session' ? { ...link, wasShown: false } : link
    expect(heard(fragmentOf(link))).toEqual([[asked], ''])
    expect(heard('', fragmentOf(link))).toEqual([[asked], ''])
  })

  it('the session that the window showed last time arrives, marked as shown before', () => {
    expect(heard(shownFragment('s_abc-1'))).toEqual([[{ kind: 'session', sessionId: 's_abc-1', wasShown: true }], ''])
    expect(heard(shownFragment(null))).toEqual([[], ''])
  })

  it.each(MENU_COMMANDS)('the command %s of the menu arrives and is removed from the address', (command) => {
    expect(heard('', commandFragment(command))).toEqual([[{ kind: 'command', command }], ''])
  })

  it('a repeated request is reported again', () => {
    const link = fragmentOf({ kind: 'session', sessionId: 's' })
    expect(heard(link, link)[0].length).toBe(2)
  })

  it.each(['', '#', `#${'a'.repeat(43)}`, '#folder=', '#session=a&folder=/b', '#run=x', '#command=stop-all', '#command='])(
    '%j is ignored',
    (hash) => {
      expect(heard(hash)).toEqual([[], hash])
    },
  )

  it('after unsubscribing nothing is reported', () => {
    const address = new FakeAddress('')
    const all: AskedToShow[] = []
    onAskedToShow((asked) => all.push(asked), address).dispose()
    address.becomes('#session=s')
    expect(all).toEqual([])
  })
})
